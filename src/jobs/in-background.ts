import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Runs work repeatedly while a server listens. No run begins after a shutdown has begun, and the shutdown waits for the current one.
 * @param first milliseconds before the first run
 * @param run returns the milliseconds before the next run. It gets the signal of the shutdown and must not throw.
 */
export function runInBackground (app: FastifyInstance, first: number, run: (signal: AbortSignal) => Promise<number>): void {
  const end = new AbortController()
  const { signal } = end
  let running: Promise<void> | undefined

  async function keepRunning (): Promise<void> {
    let wait = first
    while (!signal.aborted) {
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) wait = await run(signal)
    }
  }

  app.addHook('onListen', (done) => {
    running = keepRunning()
    done()
  })
  // It must not wait: Fastify runs the `preClose` hooks of all plugins one after the other.
  app.addHook('preClose', (done) => {
    end.abort()
    done()
  })
  app.addHook('onClose', async () => {
    await running
  })
}
