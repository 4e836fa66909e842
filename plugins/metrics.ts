import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import type { Config } from '../src/config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The metrics of this process, with METRICS_PORT. */
    metrics?: Registry
  }
}

/** Metrics, with METRICS_PORT. Its hooks run before those of plugins that refuse requests, so refused requests are counted too. */
export default fp(async function metrics (app: FastifyInstance, { config }: { config: Config }) {
  if (config.METRICS_PORT === undefined) return
  // Without METRICS_PORT, prom-client is not loaded.
  const { measure } = await import('../src/server/metrics/measure.ts')
  app.decorate('metrics', measure(app, config.DATA_DIR))
}, { name: 'metrics' })
