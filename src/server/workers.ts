import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { drainTime, explained } from './serve.ts'
import { logOutages } from './outside-services.ts'
import { closeOnSignals } from './shutdown.ts'
import type { SigningConfig } from '../auth/signing-key.ts'
import { messageOf } from '../files/errors.ts'

/** Pauses before a restart, and the age from which a worker counts as stable, in ms. */
const shortestPause = 200
const longestPause = 30_000
const stableAge = 60_000

/**
 * Time in ms until an ended worker is replaced. It doubles each time, so that a worker that always fails does not keep the machine busy.
 * @param deaths how many workers in a row ended at this position within a minute
 */
export function restartPauseMs (deaths: number): number {
  return Math.min(longestPause, shortestPause * 2 ** deaths)
}

/**
 * Starts WORKERS server processes and replaces each that ends. They share only the port, whose connections this process distributes, and
 * the database. On a signal this process lets them drain. They end with this process in any case.
 * @returns the port @throws {Error} if the first worker, which starts alone so that an error appears once, cannot start
 */
export async function startWorkers (config: SigningConfig): Promise<number> {
  const { log } = Fastify({ logger: { level: config.LOG_LEVEL } })
  const env = { JWT_SECRET: config.JWT_SECRET, PORT: String(config.PORT) }
  const alive = new Map<Worker, Promise<number | string>>()
  const positions = new Map<number, Worker>()
  let ending = false

  function fork (position: number): Worker {
    const worker = cluster.fork(env)
    // A message fails if the process has just ended. Without a listener, this would end all workers.
    worker.on('error', err => log.warn({ err, worker: worker.process.pid }, 'a worker did not get a message'))
    alive.set(worker, endOf(worker))
    positions.set(position, worker)
    return worker
  }

  async function keep (position: number, worker = fork(position)): Promise<void> {
    for (let deaths = 0; ; worker = fork(position)) {
      const started = performance.now()
      const end = await alive.get(worker)
      alive.delete(worker)
      if (ending) return
      deaths = performance.now() - started < stableAge ? deaths : 0
      const pause = restartPauseMs(deaths++)
      log.error({ worker: worker.process.pid, end, pause }, 'worker ended, starting another')
      await sleep(pause)
      if (ending) return
    }
  }

  cluster.setupPrimary({ exec: join(import.meta.dirname, '../server.ts'), args: [] })
  process.on('exit', () => {
    for (const worker of alive.keys()) worker.process.kill('SIGKILL')
  })
  await publishMetrics(config, log, positions)
  const first = fork(1)
  const start = await Promise.race([once(first, 'listening'), alive.get(first)])
  if (!Array.isArray(start)) {
    if (start === 1) process.exit(1) // the reason is on stderr
    throw new Error(`a worker ended before it listened: ${start}`)
  }

  closeOnSignals(drainTime + 1000, log, async () => {
    ending = true
    for (const worker of alive.keys()) worker.process.kill('SIGTERM')
    const ends = await Promise.all(alive.values())
    if (ends.some(end => typeof end === 'number' && end !== 0)) throw new Error('a worker ended with an error during the shutdown')
  })
  logOutages(config, log)
  keep(1, first)
  for (let position = 2; position <= config.WORKERS; position++) keep(position)
  return start[0].port
}

/** Serves the metrics of this process and of all workers on one port. */
async function publishMetrics (config: SigningConfig, log: FastifyBaseLogger, workers: ReadonlyMap<number, Worker>): Promise<void> {
  if (config.METRICS_PORT === undefined) return
  const { WorkersMetrics } = await import('./metrics/workers.ts')
  const { serveMetrics } = await import('./metrics/server.ts')
  const metrics = new WorkersMetrics()
  try {
    await serveMetrics(config, log, async () => await metrics.read(workers))
  } catch (error) {
    throw explained(error)
  }
}

/** How a worker ended: its exit code or signal, or the error of its start. */
async function endOf (worker: Worker): Promise<number | string> {
  try {
    const [code, signal]: Array<number | string | null> = await once(worker, 'exit')
    return signal ?? code ?? 'without an exit code'
  } catch (error) {
    worker.process.kill('SIGKILL')
    return messageOf(error)
  }
}
