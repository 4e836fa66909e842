import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from './sql.ts'

const pause = 250

/**
 * Opens a database that may not be there yet, as when all of a machine starts at once: tries again for as long as it cannot be reached or
 * is starting itself. What is wrong otherwise, such as a name or a password, does not mend by waiting and is thrown at once.
 * @param timeout milliseconds; 0 tries once
 * @param waiting called once, when there is something to wait for
 * @throws the last error of `open`
 */
export async function awaited<T> (open: () => Promise<T>, timeout: number, waiting: (reason: Error) => void): Promise<T> {
  const deadline = performance.now() + timeout
  for (let isReported = false; ; isReported = true) {
    try {
      return await open()
    } catch (error) {
      if (performance.now() + pause > deadline || !isUnavailable((error as Error).cause)) throw error
      if (!isReported) waiting(error as Error)
      await sleep(pause)
    }
  }
}
