import { reasonOf, refuseAborted, within } from './aborts.ts'
import { ConnectionError } from './errors.ts'
import type { Fetch, SendOptions } from './signals.ts'

/** Whether a request can be repeated if its outcome is unknown. */
function isRepeatable ({ method, headers }: Request) {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || headers.has('idempotency-key')
}

/** Whether a request was refused, but can succeed later. 502, 504 and above come from proxies: the service can have run the request. */
function isRefusedForNow (request: Request, { status }: Response) {
  return status === 429 || (status > 501 && isRepeatable(request))
}

/** The wait in seconds that an answer requests, or undefined if it names none. */
function retryAfter (response: Response | undefined) {
  const text = response?.headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  // `Date.parse` also accepts `-1` and `1.5` as dates.
  const date = /GMT$/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, (date - timeOf(response)) / 1000)
}

/** When an answer was sent, in ms, as the service's clock says: the device's can be hours off. */
function timeOf (response: Response | undefined) {
  const sent = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(sent) ? Date.now() : sent
}

/** Waits until the time is over. Rejects if the signal aborts. */
async function wait (seconds: number, signal?: AbortSignal): Promise<void> {
  refuseAborted(signal)
  return await new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(reasonOf(signal))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Sends a request once.
 * @throws {ConnectionError} without an answer
 */
async function attempted (fetch: Fetch, request: Request, { signal, attemptMs }: SendOptions): Promise<Response> {
  const timed = attemptMs === undefined ? signal : within(attemptMs, signal)
  try {
    return await fetch(request, { signal: timed })
  } catch (error) {
    // The error of React Native does not tell why.
    if (timed?.aborted === true) throw reasonOf(timed)
    throw error instanceof TypeError ? new ConnectionError(error) : error
  }
}

/**
 * A `fetch` that repeats lost requests and requests that were refused temporarily: 429, and 502 to 504 if repeating is safe. It waits for
 * `Retry-After`, or about 0.5, 1, 2 … s. If the wait exceeds `maxWaitSeconds`, the caller gets the answer. `attemptMs` limits each attempt,
 * and not the waits, which the service asks for.
 */
export function retrying (fetch: Fetch, { retries, maxWaitSeconds }: { retries: number, maxWaitSeconds: number }): Fetch {
  return async (request, { signal, attemptMs, maxWaitSeconds: maxWait = maxWaitSeconds } = {}) => {
    for (let left = retries, backoff = 0.5; ; left -= 1, backoff *= 2) {
      // A request can be sent only once. The last attempt needs no copy.
      const attempt = attempted(fetch, left > 0 ? request.clone() : request, { signal, attemptMs })
      const [response, error] = await attempt.then(response => [response], error => [undefined, error])
      const isOver = signal?.aborted === true || Object(error).name === 'TimeoutError'
      if (response === undefined && (isOver || !isRepeatable(request))) return await attempt
      if (response !== undefined && !isRefusedForNow(request, response)) return await attempt
      // Random, so that clients that were refused together do not return together.
      const seconds = retryAfter(response) ?? backoff * (0.5 + Math.random() / 2)
      if (left <= 0 || seconds > maxWait) return await attempt
      await response?.body?.cancel()
      await wait(seconds, signal)
    }
  }
}
