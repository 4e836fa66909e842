// React Native's signals have no `reason`, `throwIfAborted`, `timeout` or `any`.

/** Why a signal has aborted. @param {AbortSignal} signal @returns {unknown} */
export function reasonOf (signal) {
  return signal.reason ?? abortError('AbortError', 'The operation was aborted.')
}

/** @param {AbortSignal} [signal] @throws the reason of the signal, if it has aborted */
export function refuseAborted (signal) {
  if (signal?.aborted === true) throw reasonOf(signal)
}

/**
 * A signal that aborts with the first of two signals.
 * @param {AbortSignal} one
 * @param {AbortSignal} other
 * @returns {{ signal: AbortSignal, release: () => void }} `release` lets go of the two
 */
export function either (one, other) {
  const controller = new AbortController()
  const followed = [one, other].map(source => ({
    source,
    abort: () => {
      release()
      controller.abort(reasonOf(source))
    }
  }))
  const release = () => { for (const { source, abort } of followed) source.removeEventListener('abort', abort) }
  // Listeners also keep a timeout that nothing else holds. Node.js before 24 collects the sources of `AbortSignal.any`.
  for (const { source, abort } of followed) source.addEventListener('abort', abort)
  followed.find(({ source }) => source.aborted)?.abort()
  return { signal: controller.signal, release }
}

/**
 * A signal that aborts after a time, or with another signal.
 * @param {number} time in ms
 * @param {AbortSignal} [signal]
 * @returns {AbortSignal}
 */
export function within (time, signal) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(abortError('TimeoutError', 'The operation took too long.')), time)
  // In Node.js, the process can end before.
  if (typeof timer === 'object') timer.unref()
  if (signal === undefined) return controller.signal
  // The first one does not add a listener for each request to a signal that lasts.
  return AbortSignal.any?.([signal, controller.signal]) ?? either(signal, controller.signal).signal
}

/** @param {string} name @param {string} message */
function abortError (name, message) {
  return typeof DOMException === 'undefined' ? Object.assign(new Error(message), { name }) : new DOMException(message, name)
}
