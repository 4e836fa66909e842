import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Piscina } from 'piscina'
import type { Drawn } from '../src/domain/reports/caratula/pdf/worker.ts'
import { Crowded, maxWaitMs } from '../src/database/turns/crowded.ts'
import { Semaphore } from '../src/database/turns/semaphore.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Draws a report as PDF. @param caller as `callerOf` names it @throws {Crowded} if others draw, or if it takes too long */
    drawPdf: (caller: string, drawn: Drawn) => Promise<Buffer>
  }
}

/** Longest time in ms of one drawing. */
const maxDrawMs = 20_000

/** Time in ms after which an unused thread ends, with its 60 MB. */
const idleMs = 60_000

/** PDF is drawn in one thread of its own, one document at a time. The thread starts with the first one. */
export default fp(async function pdf (app: FastifyInstance) {
  const turns = new Semaphore<string>({ name: 'drawings', size: 1, perKey: 1, key: 'otherExports' })
  let threads: Piscina | undefined

  async function start (): Promise<Piscina> {
    // Loaded on the first use.
    const { Piscina } = await import('piscina')
    const started = new Piscina({
      filename: new URL('../src/domain/reports/caratula/pdf/worker.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: 256 }
    })
    // An error of the thread outside a drawing, for example after one that was given up. Without a listener, it would end the process.
    return started.on('error', error => app.log.error(error, 'the thread that draws PDFs has failed'))
  }

  app.decorate('drawPdf', async (caller, drawn) => await turns.run(caller, performance.now() + maxWaitMs, async () => {
    threads ??= await start()
    const signal = AbortSignal.timeout(maxDrawMs)
    const bytes: Uint8Array = await threads.run(drawn, { signal }).catch((error) => {
      throw signal.aborted ? new Crowded('a drawing takes too long', { key: 'answerTooLong' }) : error
    })
    return Buffer.from(bytes)
  }))

  app.addHook('onClose', async () => await threads?.destroy())
}, { name: 'pdf' })
