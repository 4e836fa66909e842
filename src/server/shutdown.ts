import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import { endFaultyRequest } from './request-faults.ts'

/** Signals that end a process, which can get them from its primary, the terminal and a supervisor. */
const endings = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Time in ms in which further signals are ignored, because npm repeats a Ctrl+C of the terminal. Later ones end the process. */
const repeatedTime = 1000

/**
 * Ends the process in order on a signal, or on an uncaught error that belongs to no request. It exits with 1 after an error. An uncaught
 * error of a request ends that request (decision 71).
 * @param drain time in ms for `close`. If it is not enough, the process exits with 1.
 */
export function closeOnSignals (drain: number, log: FastifyBaseLogger, close: () => Promise<void>): void {
  let ended: number | undefined
  let fault: unknown
  const skip = [...endings, 'uncaughtException' as const, 'unhandledRejection' as const]
  const { close: end } = closeWithGrace({ delay: drain, logger: log, skip }, async () => {
    ended = performance.now()
    await close()
    if (fault !== undefined) process.exit(1)
  })
  for (const signal of endings) {
    process.on(signal, () => {
      if (ended === undefined) end()
      // The primary of a worker kills it if necessary.
      else if (cluster.isPrimary && performance.now() - ended > repeatedTime) process.exit(1)
    })
  }
  // Also gets rejections that nothing handles.
  process.on('uncaughtException', (error) => {
    if (endFaultyRequest(error)) return
    log.fatal({ err: error }, 'shutting down after an error')
    if (ended !== undefined) process.exit(1)
    fault = error
    end()
  })
}
