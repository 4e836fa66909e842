import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { isTraced } from '../src/server/tracing/wanted.ts'

/** OpenTelemetry traces, if they are configured. Its hooks run before those of plugins that refuse requests. */
export default fp(async function tracing (app: FastifyInstance, { config }: { config: Config }) {
  if (!isTraced(config)) return
  // Without traces, OpenTelemetry is not loaded.
  const { traceRequests } = await import('../src/server/tracing/request-spans.ts')
  traceRequests(app, config)
}, { name: 'tracing', dependencies: ['metrics'] })
