import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from './sql-errors.ts'

/** Pause between two attempts in ms. */
const pause = 250

/**
 * Opens a database, and repeats while it is unreachable or starting, for example when a machine starts all services together. Other
 * errors, such as a wrong password, are thrown immediately.
 * @param timeout ms; 0 tries once
 * @param waiting called once, before the first wait
 * @throws the last error of `open`
 */
export async function awaited<T> (open: () => Promise<T>, timeout: number, waiting: (reason: Error) => void): Promise<T> {
  const deadline = performance.now() + timeout
  for (let isReported = false; ; isReported = true) {
    try {
      return await open()
    } catch (error) {
      if (performance.now() + pause > deadline || !(error instanceof Error) || !isUnavailable(error.cause)) throw error
      if (!isReported) waiting(error)
      await sleep(pause)
    }
  }
}
