import { contentOf, hasType } from './verdicts.js'

/** @import { ProblemCode } from './index.d.ts' */

/** Code of an answer that is not the service's: of a proxy, a gateway or a log-in page of the network. */
const proxyCode = 'proxy_error'

/** An answer that is not a success. */
export class ObraError extends Error {
  /**
   * @param {unknown} body of the answer
   * @param {Response} response
   */
  constructor (body, response) {
    const content = contentOf(body, response)
    super(content?.detail ?? `HTTP ${response.status}, answered by a proxy and not by Obra.`)
    this.name = /** @type {const} */ ('ObraError')
    this.status = response.status
    this.code = content === undefined ? proxyCode : content.code ?? 'invalid'
    this.errors = content?.errors ?? {}
    /** @type {Record<string, ProblemCode[]>} */
    this.codes = content?.codes ?? {}
    this.response = response
  }

  get requestId () {
    return this.response.headers.get('x-request-id')
  }
}

/**
 * A request without an answer. It is a `TypeError`, as the errors of `fetch` are, with a code.
 */
export class ConnectionError extends TypeError {
  /** @param {unknown} cause the error of `fetch` */
  constructor (cause) {
    super(cause instanceof Error ? cause.message : 'The request has no answer.')
    this.code = /** @type {const} */ ('offline')
    this.cause = cause
  }
}

/**
 * An error of the client itself, in the form of the service's errors.
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 * @param {Response} [response]
 */
export function clientError (status, code, detail, response = new Response(null, { status })) {
  return Object.assign(new ObraError(undefined, response), { code, message: detail })
}

/** The error for an answer that is not the service's, also one with the status of a success. @param {Response} response */
export function proxyError (response) {
  return new ObraError(undefined, response)
}

/** Codes of the service's refusals after which the same HEAD can succeed. 502 and 504 come from proxies. */
const codesOfHead = /** @type {Record<number, string>} */ ({ 429: 'throttled', 500: 'error', 503: 'unavailable' })

/**
 * The error for a refused HEAD. The answer has no body, so its status and media type tell whether it is the service's.
 * @param {Response} response
 */
export function headError (response) {
  const code = hasType(response, 'application/json') ? codesOfHead[response.status] : undefined
  return code === undefined ? proxyError(response) : clientError(response.status, code, `HTTP ${response.status}.`, response)
}

/**
 * Whether the service has not seen or answered a request: something between has answered, or has redirected it.
 * @param {unknown} error
 * @returns {error is ObraError & { code: 'proxy_error' | 'redirected' }}
 */
export function isOfProxy (error) {
  return error instanceof ObraError && (error.code === proxyCode || error.code === 'redirected')
}

/**
 * Returns the data of an answer, or throws an {@link ObraError}.
 * @template Data
 * @param {Promise<{ data?: Data, error?: unknown, response: Response }>} answer
 */
export async function unwrap (answer) {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  return /** @type {Data} */ (data)
}

/**
 * Returns the data of a successful answer, if it has the form of the service's.
 * @template Data
 * @param {Promise<{ data?: Data, error?: unknown, response: Response }>} answer
 * @param {(data: any) => boolean} isRight
 * @returns {Promise<Data>}
 * @throws {ObraError}
 */
export async function unwrapChecked (answer, isRight) {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  if (typeof data !== 'object' || data === null || !isRight(data)) throw proxyError(response)
  return data
}

/** Refuses a page of HTML, which the service sends to no request of the client. @param {Response} response @throws {ObraError} */
export async function refuseHtml (response) {
  if (!response.ok || !hasType(response, 'text/html')) return
  await response.body?.cancel()
  throw proxyError(response)
}
