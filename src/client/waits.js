import { reasonOf } from './aborts.js'

/**
 * Waits for a shared promise. If the signal aborts, only this caller stops waiting.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<Value>}
 * @throws the reason of the signal
 */
export async function unlessAborted (promise, signal) {
  if (signal?.aborted === true) {
    promise.catch(() => {})
    throw reasonOf(signal)
  }
  return await new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(/** @type {AbortSignal} */ (signal)))
    signal?.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })
}
