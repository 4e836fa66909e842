import { reasonOf, refuseAborted } from './aborts.js'

/** @import { Fetch } from './signals.js' */

/**
 * Whether a request can be repeated if its outcome is unknown.
 * @param {Request} request
 */
function isRepeatable ({ method, headers }) {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || headers.has('idempotency-key')
}

/**
 * @param {Request} request
 * @param {Response} response
 */
function isRefusedForNow (request, { status }) {
  return status === 429 || (status === 503 && isRepeatable(request))
}

/**
 * The wait in seconds that an answer requests, or undefined if it names none.
 * @param {Response | undefined} response
 */
function retryAfter (response) {
  const text = response?.headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  // `Date.parse` also accepts `-1` and `1.5` as dates.
  const date = /GMT$/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, (date - timeOf(response)) / 1000)
}

/** When an answer was sent, in ms, as the service's clock says: the device's can be hours off. @param {Response | undefined} response */
function timeOf (response) {
  const sent = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(sent) ? Date.now() : sent
}

/**
 * Waits until the time is over. Rejects if the signal aborts.
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
async function wait (seconds, signal) {
  refuseAborted(signal)
  return await new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(reasonOf(/** @type {AbortSignal} */ (signal)))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * A `fetch` that repeats lost requests and requests that were refused temporarily: 429, and 503 if repeating is safe. It waits for
 * `Retry-After`, or about 0.5, 1, 2 … s. If the wait exceeds `longestWait` seconds, the caller gets the answer.
 * @param {Fetch} fetch
 * @param {{ retries: number, longestWait: number }} limits
 * @returns {Fetch}
 */
export function retrying (fetch, { retries, longestWait }) {
  return async (request, { signal }) => {
    for (let left = retries, backoff = 0.5; ; left -= 1, backoff *= 2) {
      // A request can be sent only once. The last attempt needs no copy.
      const attempt = fetch(left > 0 ? request.clone() : request, { signal })
      const response = await attempt.catch(() => undefined)
      if (response === undefined && (signal?.aborted === true || !isRepeatable(request))) return await attempt
      if (response !== undefined && !isRefusedForNow(request, response)) return await attempt
      // Random, so that clients that were refused together do not return together.
      const seconds = retryAfter(response) ?? backoff * (0.5 + Math.random() / 2)
      if (left <= 0 || seconds > longestWait) return await attempt
      await response?.body?.cancel()
      await wait(seconds, signal)
    }
  }
}
