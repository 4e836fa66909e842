import pg from 'pg'
import { superuserOptions } from '../../../src/trial/superuser.ts'
import { checkFreshness, type emptyReport } from '../freshness/checker.ts'
import type { Connection } from '../freshness/connection.ts'
import type { Psql } from '../torture/integrity.ts'
import type { Balancer } from './balancer.ts'
import type { DeviceScenario } from './clients.ts'

/** Runs the checker of freshness through the balancer. */
export async function checkReads (balancer: Balancer, tokens: string[], url: string, report: ReturnType<typeof emptyReport>, isOver: () => boolean): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: superuserOptions })
  const connection: Connection = {
    origin: '',
    async send (method, path, headers, body) {
      const content = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await balancer.fetch(path, { method, headers: { ...headers, ...body === undefined ? {} : { 'content-type': 'application/json' } }, ...content })
      const { status, headers: answered } = response
      return {
        status,
        etag: answered.get('etag') ?? undefined,
        body: await response.text(),
        replayed: answered.get('idempotency-replayed') === 'true',
        process: answered.get('x-request-id')?.slice(0, 8) ?? ''
      }
    },
    close () {}
  }
  try {
    await checkFreshness({ origins: [], connect: async () => [connection], tokens, psql: async (text, values) => await pool.query(text, values), actors: 2, reads: Infinity, isOver, writes: 10 }, report)
  } finally {
    await pool.end()
  }
}

/** Completes the synchronization of a device, and compares it with the database. */
export async function deviceFaults ({ name, device, company }: DeviceScenario, psql: Psql): Promise<string[]> {
  try {
    await device.sync()
  } catch (error) {
    return [`${name}, at the end: ${(error as Error).message}`]
  }
  const faults = [...device.faults, ...device.resyncs.filter(reason => reason !== 'schema').map(reason => `a device had to start again: ${reason}`)]
  for (const resource of ['contrapartes', 'contracts', 'estimates']) {
    const rows = await psql(`select id, version from ${resource} where company_id = $1 order by id`, [company])
    const own = [...device.records].filter(([key]) => key.startsWith(`${resource}/`)).map(([, { id, version }]) => ({ id, version })).sort((a, b) => a.id - b.id)
    if (JSON.stringify(own) !== JSON.stringify(rows)) faults.push(`a device has ${own.length} ${resource}, or other versions of them, instead of ${rows.length}`)
  }
  return faults
}
