import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'

/** Signals that end a process, which can get them from its primary, the terminal and a supervisor. */
const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Time in ms in which further signals are ignored, because npm repeats a Ctrl+C of the terminal. Later ones end the process. */
const repeatedTime = 1000

/**
 * Ends the process in order on a signal or an uncaught error. It exits with 1 after an error.
 * @param drain time in ms for `close`. If it is not enough, the process exits with 1.
 */
export function closeOnSignals (drain: number, log: FastifyBaseLogger, close: () => Promise<void>): void {
  let ended: number | undefined
  const { close: end } = closeWithGrace({ delay: drain, logger: log, skip: [...endings] }, async ({ err }) => {
    ended = performance.now()
    if (err !== undefined) log.fatal({ err }, 'shutting down after an error')
    await close()
  })
  for (const signal of endings) {
    process.on(signal, () => {
      if (ended === undefined) end()
      // The primary of a worker kills it if necessary.
      else if (cluster.isPrimary && performance.now() - ended > repeatedTime) process.exit(1)
    })
  }
}
