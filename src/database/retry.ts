import { setTimeout as sleep } from 'node:timers/promises'
import { conflicts } from '../channels.ts'
import { isRetryable } from './sql.ts'

const attempts = 6

/** Runs a transaction again after a serialization failure or a deadlock, waiting a random, growing time (up to 320 ms) between. */
export async function retrying<T> (transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
      conflicts.publish('retried')
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
