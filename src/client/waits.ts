import { reasonOf } from './aborts.ts'

/**
 * Waits for a shared promise. If the signal aborts, only this caller stops waiting.
 * @throws the reason of the signal
 */
export async function unlessAborted<Value> (promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (signal?.aborted === true) {
    promise.catch(() => {})
    throw reasonOf(signal)
  }
  return await new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal))
    signal?.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })
}
