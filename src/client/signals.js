import { refuseAborted } from './aborts.js'
import { ConnectionError, proxyError, refuseHtml } from './errors.js'
import { asSent } from './file-bodies.js'
import { checkPath } from './paths.js'
import { unlessAborted } from './waits.js'

/** @import { Client } from 'openapi-fetch' */
/** @import { paths } from './index.d.ts' */
/**
 * @typedef {object} SendOptions
 * @property {AbortSignal} [signal]
 * @property {number} [attemptMs] time in ms after which an attempt without a complete answer has failed
 * @property {number} [maxWaitSeconds] longest `Retry-After` to wait for
 */
/** @typedef {(request: Request, init: SendOptions) => Promise<Response>} Fetch */
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
      checkPath(method, path, options)
      const { signal, fetch: own = fetch } = options
      /** @type {Response | undefined} */
      let response
      try {
        return await call(path, {
          ...asSent(options),
          fetch: async (/** @type {Request} */ request) => {
            refuseAborted(signal)
            response = /** @type {Response} */ (await unlessAborted(own(request, { signal }), signal))
            await refuseHtml(response)
            return response
          }
        })
      } catch (error) {
        throw response === undefined ? error : unreadable(error, response)
      }
    }]
  })
  return { ...client, ...Object.fromEntries(wrapped) }
}

/**
 * The error of an answer whose content cannot be read.
 * @param {unknown} error
 * @param {Response} response
 */
function unreadable (error, response) {
  if (error instanceof SyntaxError) return proxyError(response)
  return error instanceof TypeError ? new ConnectionError(error) : error
}
