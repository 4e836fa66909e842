/** Whether a request may be sent again when nobody knows whether it was done. */
function isRepeatable ({ method, headers }) {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || headers.has('idempotency-key')
}

/** Seconds that an answer asks to wait, or undefined where it names none. */
function retryAfter (response) {
  const text = response?.headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000)
}

/** Waits, unless the signal ends it. */
async function wait (seconds, signal) {
  signal.throwIfAborted()
  await new Promise((resolve, reject) => {
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
 */
export function retrying (fetch, { retries, longestWait }) {
  return async (request) => {
    for (let left = retries, backoff = 0.5; ; left -= 1, backoff *= 2) {
      let response, failure
      try {
        // A request can be sent once; the last time it need not be kept.
        response = await fetch(left > 0 ? request.clone() : request)
        if (response.status !== 429 && !(response.status === 503 && isRepeatable(request))) return response
      } catch (error) {
        if (request.signal.aborted || !isRepeatable(request)) throw error
        failure = error
      }
      // Many clients that were refused at one moment do not all come back at one moment.
      const seconds = retryAfter(response) ?? backoff * (0.5 + Math.random() / 2)
      if (left <= 0 || seconds > longestWait) {
        if (failure !== undefined) throw failure
        return response
      }
      await response?.body?.cancel()
      await wait(seconds, request.signal)
    }
  }
}
