import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { buildServer } from './fastify.ts'
import { logOutages } from './outside-services.ts'
import { closeOnSignals } from './shutdown.ts'
import type { SigningConfig } from '../auth/signing-key.ts'
import { codeOf } from '../files/errors.ts'
import { portOf } from './port.ts'

/** Time in ms for requests in progress during a shutdown. */
export const drainTime = 10_000

/**
 * Runs a server process: the application on an open database, listening, with a graceful shutdown.
 * @param drain time in ms for requests in progress during a shutdown. If it is not enough, the process exits with code 1.
 * @returns the port @throws {Error} after closing the database
 */
export async function serve (config: SigningConfig, database: Database, drain = drainTime): Promise<number> {
  try {
    const app = await buildServer({ config, database })
    const metrics = await publishMetrics(app, config)
    closeOnSignals(drain, app.log, async () => {
      await app.close()
      await metrics?.close()
    })
    // `npm start` allows this. Otherwise V8 keeps 26 MB that only the start needs.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await app.listen({ host: config.HOST, port: config.PORT })
    // With workers, their primary process tries the services.
    if (cluster.isPrimary) logOutages(config, app.log)
    return portOf(app.server)
  } catch (error) {
    await database.close()
    throw explained(error)
  }
}

/** Checks the port before a first start makes a database, which takes longer. @throws {Error} if another process has the port */
export async function assertPortIsFree ({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  const server = createServer().listen({ host: HOST, port: PORT })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw explained(error)
  }
  server.close()
  await once(server, 'close')
}

/** Publishes the metrics of this process: on its own port or, in a worker, through the primary, which has the port. */
async function publishMetrics ({ log, metrics }: FastifyInstance, config: SigningConfig) {
  if (metrics === undefined) return undefined
  if (cluster.isWorker) {
    const { answerPrimary } = await import('./metrics/workers.ts')
    answerPrimary(metrics)
    return undefined
  }
  const { serveMetrics } = await import('./metrics/server.ts')
  return await serveMetrics(config, log, async () => metrics)
}

/** Adds advice to the error of a port in use. */
export function explained (error: unknown): unknown {
  if (codeOf(error) !== 'EADDRINUSE') return error
  const { port }: { port?: number } = Object(error)
  return new Error(`port ${port} is in use: stop the other process or set another PORT or METRICS_PORT`, { cause: error })
}
