import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { buildServer } from './fastify.ts'
import type { SigningConfig } from '../auth/signing-key.ts'

/** Milliseconds that a process which is told to end has for what is in flight. */
export const drainTime = 10_000

/** What a worker may be told by its primary, by the terminal and by a supervisor, by all of them at once. */
const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * One server process: the application on an open database, listening, with a graceful end.
 * @param drain milliseconds that it has for what is in flight once it is told to end; with some of it left over then, it exits with code 1
 * @returns the port @throws {Error} having closed the database
 */
export async function serve (config: SigningConfig, database: Database, drain = drainTime): Promise<number> {
  try {
    const app = await buildServer({ config, database })
    const metrics = await publishMetrics(app, config)
    let ending = false
    const { close } = closeWithGrace({ delay: drain, logger: app.log, skip: cluster.isWorker ? [...endings] : [] }, async ({ err }) => {
      ending = true
      if (err !== undefined) app.log.fatal({ err }, 'ending after an error')
      await app.close()
      await metrics?.close()
    })
    if (cluster.isWorker) {
      // Where a second signal ends a lone process at once, a worker drains on: its primary ends it when that is meant.
      for (const signal of endings) process.on(signal, () => { if (!ending) close() })
    }
    await app.listen({ host: config.HOST, port: config.PORT })
    return (app.server.address() as { port: number }).port
  } catch (error) {
    await database.close()
    throw explained(error as Error & { code?: string, port?: number })
  }
}

/** What this process measures: on a port of its own or, from a worker, by way of its primary, which has that port. */
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

/** What a refusal to listen is told as. */
export function explained (error: Error & { code?: string, port?: number }): Error {
  return error.code === 'EADDRINUSE' ? new Error(`port ${error.port} is in use: end the other process or choose another PORT or METRICS_PORT`, { cause: error }) : error
}
