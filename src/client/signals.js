import { refuseAborted } from './aborts.js'
import { asSent } from './file-bodies.js'
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
          refuseAborted(signal)
          return await unlessAborted(own(request, { signal }), signal)
        }
      })
    }]
  })
  return { ...client, ...Object.fromEntries(wrapped) }
}
