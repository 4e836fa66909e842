// React Native's signals have no `reason`, `throwIfAborted`, `timeout` or `any`.

/** Why signals of this file have aborted. */
const reasons = new WeakMap<AbortSignal, unknown>()

function abort (controller: AbortController, reason: unknown) {
  reasons.set(controller.signal, reason)
  controller.abort(reason)
}

/** Why a signal has aborted. */
export function reasonOf (signal?: AbortSignal): unknown {
  return signal?.reason ?? (signal && reasons.get(signal)) ?? abortError('AbortError', 'The operation was aborted.')
}

/** @throws the reason of the signal, if it has aborted */
export function refuseAborted (signal?: AbortSignal) {
  if (signal?.aborted === true) throw reasonOf(signal)
}

/**
 * A signal that aborts with the first of two signals.
 * @returns `release` lets go of the two
 */
export function either (one: AbortSignal, other: AbortSignal): { signal: AbortSignal, release: () => void } {
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
 * @param time in ms
 */
export function within (time: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abortLate = () => abort(controller, abortError('TimeoutError', 'The operation took too long.'))
  const timer = setTimeout(abortLate, time)
  // In Node.js, the process can end before. In browsers, a timer is a number.
  Object(timer).unref?.()
  if (signal === undefined) return controller.signal
  // The first one does not add a listener for each request to a signal that lasts.
  return AbortSignal.any?.([signal, controller.signal]) ?? either(signal, controller.signal).signal
}

function abortError (name: string, message: string) {
  return typeof DOMException === 'undefined' ? Object.assign(new Error(message), { name }) : new DOMException(message, name)
}
