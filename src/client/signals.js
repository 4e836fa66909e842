import { asSent } from './blobs.js'
import { unlessAborted } from './waits.js'

/** @import { Client } from 'openapi-fetch' */
/** @import { paths } from './index.d.ts' */
/** @typedef {(request: Request, init: { signal?: AbortSignal }) => Promise<Response>} Fetch */
/** @typedef {Client<paths, 'application/json'>} PlainClient */

const methods = /** @type {const} */ (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * A client that passes the signal of each request to `fetch` itself. The signal of a `Request` only follows it, and in Node.js it no longer
 * does after a garbage collection has removed the `Request` or its original.
 * @param {Client<any, any>} client
 * @param {Fetch} fetch of requests without one of their own
 * @returns {PlainClient}
 */
export function withSignals (client, fetch) {
  const wrapped = methods.map((method) => {
    const call = /** @type {(path: string, options: object) => Promise<any>} */ (client[method])
    return [method, async (/** @type {string} */ path, /** @type {any} */ options = {}) => {
      const { signal, fetch: own = fetch } = options
      return await call(path, {
        ...asSent(options),
        fetch: async (/** @type {Request} */ request) => {
          signal?.throwIfAborted()
          return await unlessAborted(own(request, { signal }), signal)
        }
      })
    }]
  })
  return { ...client, ...Object.fromEntries(wrapped) }
}

/**
 * Holds a signal that other signals follow. Node.js before 24 keeps only weak references from a signal of `AbortSignal.any` to its sources:
 * a timeout that nothing else holds is collected and never aborts. A signal with a listener is not.
 * @param {AbortSignal} signal
 * @returns {() => void} releases it
 */
export function hold (signal) {
  const listener = () => {}
  signal.addEventListener('abort', listener)
  return () => signal.removeEventListener('abort', listener)
}
