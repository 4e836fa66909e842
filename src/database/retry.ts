import { setTimeout as sleep } from 'node:timers/promises'
import { conflicts } from './channels.ts'
import { isLockTimeout, isRetryable } from './sql.ts'

const attempts = 6
/** Pause in ms between two attempts to lock. */
export const lockPause = 50

/**
 * Retries a transaction after a serialization failure or a deadlock, with a random, growing pause of up to 320 ms.
 * @param deadline instant, by `performance.now()`, until which a lock timeout is retried too; by default it is not
 */
export async function retrying<T> (transaction: () => Promise<T>, deadline = 0): Promise<T> {
  for (let attempt = 1; ;) {
    try {
      return await transaction()
    } catch (error) {
      if (isLockTimeout(error) && performance.now() + lockPause < deadline) {
        await sleep(lockPause)
        continue
      }
      if (attempt === attempts || !isRetryable(error)) throw error
      conflicts.publish('retried')
      await sleep(Math.random() * 10 * 2 ** attempt++)
    }
  }
}
