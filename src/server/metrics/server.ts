import Fastify, { type FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { portOf } from '../port.ts'

/** A server of metrics, with the port that it has taken. */
export interface MetricsServer {
  port: number
  close: () => Promise<void>
}

/**
 * Serves `/metrics` on METRICS_PORT, separate from the API and without authentication.
 * @param read returns the metrics of a scrape
 * @throws {Error} if the port is in use
 */
export async function serveMetrics (config: Config, log: FastifyBaseLogger, read: () => Promise<Registry>): Promise<MetricsServer> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config
  const app = Fastify({ forceCloseConnections: true })
  app.get('/metrics', async (_request, reply) => {
    const registry = await read()
    reply.type(registry.contentType).header('cache-control', 'no-store')
    return await registry.metrics()
  })
  await app.listen({ host, port })
  app.server.on('error', err => log.error({ err }, 'a connection to the metrics was not accepted'))
  const taken = portOf(app.server)
  log.info({ host, port: taken }, 'metrics at /metrics')
  return { port: taken, close: async () => await app.close() }
}
