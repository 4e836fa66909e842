import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { makeRegistry } from '../src/server/metrics/registry.ts'
import { countRequests } from '../src/server/metrics/requests.ts'
import { readSequences } from '../src/server/metrics/sequences.ts'
import { countWork, readGauges } from '../src/server/metrics/work.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What this process has measured; there with METRICS_PORT alone. */
    metrics?: Registry
  }
}

/** Measures what the server does. It comes before all other plugins, so that it sees what these refuse. */
export default fp(async function metrics (app: FastifyInstance) {
  const registry = makeRegistry()
  app.decorate('metrics', registry)
  countRequests(app, registry)
  countWork(app, registry)
  readGauges(app, registry)
  readSequences(app, registry)
}, { name: 'metrics' })
