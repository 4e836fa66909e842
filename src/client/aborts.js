// React Native's signals have no `reason`, `throwIfAborted`, `timeout` or `any`.

/** Why signals of this file have aborted. @type {WeakMap<AbortSignal, unknown>} */
const reasons = new WeakMap()

/** @param {AbortController} controller @param {unknown} reason */
function abort (controller, reason) {
  reasons.set(controller.signal, reason)
  controller.abort(reason)
}

/** Why a signal has aborted. @param {AbortSignal} signal @returns {unknown} */
export function reasonOf (signal) {
  return signal.reason ?? reasons.get(signal) ?? abortError('AbortError', 'The operation was aborted.')
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
    follow: () => {
      release()
      abort(controller, reasonOf(source))
    }
  }))
  const release = () => { for (const { source, follow } of followed) source.removeEventListener('abort', follow) }
  // Listeners also keep a timeout that nothing else holds. Node.js before 24 collects the sources of `AbortSignal.any`.
  for (const { source, follow } of followed) source.addEventListener('abort', follow)
  followed.find(({ source }) => source.aborted)?.follow()
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
  const timer = setTimeout(() => abort(controller, abortError('TimeoutError', 'The operation took too long.')), time)
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
