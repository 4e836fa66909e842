import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Piscina } from 'piscina'
import { limits } from '../src/config/limits.ts'
import { Crowded } from '../src/database/turns/crowded.ts'
import { Semaphore } from '../src/database/turns/semaphore.ts'
import { isLong, type Drawing } from '../src/domain/reports/drawing.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Draws a report as PDF or SVG. @param caller as `callerOf` names it @throws {Crowded} if others draw, or if it takes too long */
    draw: (caller: string, drawing: Drawing) => Promise<Buffer>
  }
}

/** Longest wait for a turn, in ms. A waiting drawing holds no connection to the database. */
const maxQueueMs = limits.reports.waitMs

/** Waiting drawings of a customer in each queue. Each has the rows of its report in memory. */
const maxQueued = limits.reports.waiting

/** Time in ms after which a drawing is given up. Reports have limited rows, so only a machine that is busy otherwise reaches it. */
const maxDrawMs = limits.reports.drawMs

/** Time in ms after which an unused thread ends. With curves, it takes 50 MB. Both threads take up to 160 MB with long documents. */
const idleMs = 600_000

/**
 * Reports are drawn in two threads of their own: one short and one long drawing at a time, so that a cover sheet does not wait for a long
 * statement. In each of both queues, customers take turns. A thread starts when it is needed.
 */
export default fp(async function drawings (app: FastifyInstance) {
  const queue = { size: limits.reports.drawn, perKey: limits.reports.drawn, waitingPerKey: maxQueued, key: 'otherExports' } as const
  const short = new Semaphore<string>({ name: 'short drawings', ...queue })
  const long = new Semaphore<string>({ name: 'long drawings', ...queue })
  let threads: Piscina | undefined

  async function start (): Promise<Piscina> {
    // Loaded on the first use.
    const { Piscina } = await import('piscina')
    const started = new Piscina({
      filename: new URL('../src/domain/reports/drawing.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: 2,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: 256 }
    })
    // An error of the thread outside a drawing, for example after one that was given up. Without a listener, it would end the process.
    return started.on('error', error => app.log.error(error, 'the thread that draws reports has failed'))
  }

  const turnsOf = (drawing: Drawing) => isLong(drawing) ? long : short

  app.decorate('draw', async (caller, drawing) => await turnsOf(drawing).run(caller, performance.now() + maxQueueMs, async () => {
    threads ??= await start()
    const signal = AbortSignal.timeout(maxDrawMs)
    const bytes: Uint8Array = await threads.run(drawing, { signal }).catch((error) => {
      const isCut = signal.aborted || error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw isCut ? new Crowded('a drawing takes too much', { key: 'answerTooLong', isGivenUp: true, cause: error }) : error
    })
    return Buffer.from(bytes)
  }))

  app.addHook('onClose', async () => await threads?.destroy())
}, { name: 'drawings' })
