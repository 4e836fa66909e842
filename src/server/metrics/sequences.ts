import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { sequenceUsage } from '../../database/connection/sequences.ts'
import { onceAMinute } from './once-a-minute.ts'

/** Used share of each sequence's range. */
export function readSequences (app: FastifyInstance, registry: Registry): void {
  const read = onceAMinute(() => app.database.sql, { name: 'sequences', text: sequenceUsage, values: [] })
  registry.registerMetric(new Gauge({
    name: 'obra_sequence_used_ratio',
    help: "Used share of a sequence's ids, 0 to 1.",
    labelNames: ['sequence'],
    registers: [],
    async collect () { for (const { name, share } of await read()) this.set({ sequence: name }, share) }
  }))
}
