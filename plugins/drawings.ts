import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import { Semaphore } from '../src/database/turns/semaphore.ts'
import { DrawingThread } from '../src/domain/reports/drawing-thread.ts'
import { isLong, type Drawing } from '../src/domain/reports/drawing.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Draws a report as PDF or SVG. @param caller as `callerOf` names it @throws {Crowded} if others draw, or if it takes too much */
    draw: (caller: string, drawing: Drawing) => Promise<Buffer>
  }
}

/** Longest wait for a turn, in ms. A waiting drawing holds no connection to the database. */
const maxQueueMs = limits.reports.waitMs

/** Limits of a drawing. Reports have limited rows, so none reaches its CPU time. */
const drawingLimits = { cpuMs: limits.reports.drawCpuMs, wallMs: limits.reports.drawMs }

/**
 * Reports are drawn in two threads of their own: one short and one long drawing at a time, so that a cover sheet does not wait for a long
 * statement. In each of both queues, customers take turns. A thread starts when it is needed.
 */
export default fp(async function drawings (app: FastifyInstance) {
  // Each waiting drawing of a customer has the rows of its report in memory.
  const { drawn: size, waiting: waitingPerKey } = limits.reports
  const queue = { size, perKey: size, waitingPerKey, key: 'otherExports' } as const
  const onError = (error: unknown) => app.log.error(error, 'the thread that draws reports has failed')
  const kindOf = (name: string) => ({
    turns: new Semaphore<string>({ name, ...queue }),
    thread: new DrawingThread('drawing.ts', drawingLimits, onError)
  })
  const [short, long] = [kindOf('short drawings'), kindOf('long drawings')]

  app.decorate('draw', async (caller, drawing) => {
    const { turns, thread } = isLong(drawing) ? long : short
    return await turns.run(caller, performance.now() + maxQueueMs, async () => Buffer.from(await thread.draw(drawing)))
  })

  app.addHook('onClose', async () => await Promise.all([short.thread.end(), long.thread.end()]))
}, { name: 'drawings' })
