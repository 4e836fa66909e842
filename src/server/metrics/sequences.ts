import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { sequenceUsage } from '../../database/connection/sequences.ts'
import type { Row, Sql } from '../../database/connection/sql.ts'
import { timely } from '../timely.ts'

const cacheTime = 60_000
// Shorter than the time that a primary gives its workers, so that a worker answers while the database does not.
const timeout = 1000

/** Used share of each sequence's range. Queries the database at most once a minute. */
export function readSequences (app: FastifyInstance, registry: Registry): void {
  let queriedAt = -Infinity
  const read = timely(async () => await readSequenceUsage(app.database.sql), [], timeout)
  registry.registerMetric(new Gauge({
    name: 'obra_sequence_used_ratio',
    help: "Used share of a sequence's ids, 0 to 1.",
    labelNames: ['sequence'],
    registers: [],
    async collect () {
      if (performance.now() - queriedAt < cacheTime) return
      queriedAt = performance.now()
      for (const { name, share } of await read()) this.set({ sequence: name }, share)
    }
  }))
}

/** @returns no rows if the database does not answer, so that the last values stay */
async function readSequenceUsage (sql: Sql): Promise<Row[]> {
  try {
    return await sql.query({ name: 'sequences', text: sequenceUsage, values: [] })
  } catch {
    return []
  }
}
