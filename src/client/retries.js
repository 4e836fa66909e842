/**
 * Whether a request may be sent again when nobody knows whether it was done.
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
 * Seconds that an answer asks to wait, or undefined where it names none.
 * @param {Response | undefined} response
 */
function retryAfter (response) {
  const text = response?.headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  // `Date.parse` takes `-1` and `1.5` for dates, too.
  const date = /GMT$/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000)
}

/**
 * Waits, unless the signal ends it.
 * @param {number} seconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
async function wait (seconds, signal) {
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    signal.addEventListener('abort', abort, { once: true })
  })
}

/**
 * A `fetch` that repeats what was refused for now (429, and 503 where it does no harm) or was lost on the way, after the wait that the answer asks
 * for or else half a second, one, two … A wait of more than `longestWait` seconds is left to the caller.
 * @param {(request: Request) => Promise<Response>} fetch
 * @param {{ retries: number, longestWait: number }} limits
 * @returns {(request: Request) => Promise<Response>}
 */
export function retrying (fetch, { retries, longestWait }) {
  return async (request) => {
    for (let left = retries, backoff = 0.5; ; left -= 1, backoff *= 2) {
      // A request can be sent once; the last time it need not be kept.
      const attempt = fetch(left > 0 ? request.clone() : request)
      const response = await attempt.catch(() => undefined)
      if (response === undefined ? request.signal.aborted || !isRepeatable(request) : !isRefusedForNow(request, response)) return await attempt
      // Many clients that were refused at one moment do not all come back at one moment.
      const seconds = retryAfter(response) ?? backoff * (0.5 + Math.random() / 2)
      if (left <= 0 || seconds > longestWait) return await attempt
      await response?.body?.cancel()
      await wait(seconds, request.signal)
    }
  }
}
