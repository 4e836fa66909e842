import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { isTraced } from '../src/server/tracing/wanted.ts'

/** OpenTelemetry traces, if its variables ask for them. Its hooks run before those of plugins that refuse requests. */
export default fp(async function tracing (app: FastifyInstance, { config }: { config: Config }) {
  if (!isTraced(config)) return
  // OpenTelemetry is loaded only where it is used.
  const { traceRequests } = await import('../src/server/tracing/requests.ts')
  traceRequests(app, config)
}, { name: 'tracing', dependencies: ['metrics'] })
