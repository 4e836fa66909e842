import { refuseAborted } from './aborts.ts'
import { ConnectionError, proxyError, refuseHtml } from './errors.ts'
import { asSent } from './file-bodies.ts'
import { checkPath } from './paths.ts'
import { unlessAborted } from './waits.ts'
import type { Client } from 'openapi-fetch'
import type { paths } from './api.d.ts'

export interface SendOptions {
  signal?: AbortSignal
  /** Time in ms after which an attempt without a complete answer has failed. */
  attemptMs?: number
  /** Longest `Retry-After` to wait for. */
  maxWaitSeconds?: number
}
export type Fetch = (request: Request, init: SendOptions) => Promise<Response>
export type PlainClient = Client<paths, 'application/json'>

/** The options of a request that this file reads. */
interface SentOptions {
  signal?: AbortSignal
  fetch?: Fetch
  params?: { path?: Record<string, unknown> }
  body?: unknown
  headers?: object
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * A client that passes the signal of each request to `fetch` itself. The signal of a `Request` only follows it, and in Node.js it no longer
 * does after a garbage collection has removed the `Request` or its original.
 * @param fetch of requests without one of their own
 */
export function withSignals (client: Client<any, any>, fetch: Fetch): PlainClient {
  const wrapped = methods.map((method) => {
    const call = client[method] as (path: string, options: object) => Promise<unknown> // its type is per path; `checkPath` checks the path
    return [method, async (path: string, options: SentOptions = {}) => {
      checkPath(method, path, options)
      const { signal, fetch: own = fetch } = options
      let response: Response | undefined
      try {
        return await call(path, {
          ...asSent(options),
          fetch: async (request: Request) => {
            refuseAborted(signal)
            response = await unlessAborted(own(request, { signal }), signal)
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

/** The error of an answer whose content cannot be read. */
function unreadable (error: unknown, response: Response) {
  if (error instanceof SyntaxError) return proxyError(response)
  return error instanceof TypeError ? new ConnectionError(error) : error
}
