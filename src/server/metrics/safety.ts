import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { onceAMinute } from './once-a-minute.ts'

/** The time of the last backup, and the disk of DATA_DIR. @param folder DATA_DIR, which an upload may still have to create */
export function readSafety (app: FastifyInstance, registry: Registry, folder: string): void {
  const readBackup = onceAMinute(() => app.database.sql, {
    name: 'last backup', text: 'select extract(epoch from ended_at)::float8 as ended from last_backup', values: []
  })
  registry.registerMetric(new Gauge({
    name: 'obra_last_backup_timestamp_seconds',
    help: 'When the last backup by `obra backup` ended; 0 without one.',
    registers: [],
    async collect () { for (const { ended } of await readBackup()) this.set(ended) }
  }))
  registry.registerMetric(new Gauge({
    name: 'obra_disk_bytes',
    help: 'Bytes of the disk of DATA_DIR by state: free for this user, total.',
    labelNames: ['state'],
    registers: [],
    async collect () {
      const disk = await statfs(folder).catch(() => undefined)
      if (disk === undefined) return
      this.set({ state: 'free' }, disk.bavail * disk.bsize)
      this.set({ state: 'total' }, disk.blocks * disk.bsize)
    }
  }))
}
