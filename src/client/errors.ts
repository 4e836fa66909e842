import { contentOf, hasType } from './verdicts.ts'
import type { ProblemCode } from './verdicts.ts'

/** Code of an answer that is not the service's: of a proxy, a gateway or a log-in page of the network. */
const proxyCode = 'proxy_error'

/** An answer that is not a success, or not the service's. */
export class ObraError extends Error {
  override readonly name = 'ObraError'
  /** HTTP status; 0 for a redirect in browsers. A `proxy_error` can have the status of a success. */
  readonly status: number
  /**
   * The service's code, the same in each language; `invalid` for a 400, `redirected` for a redirect other than that of a download,
   * `proxy_error` for an answer that is not in the form of the service's errors.
   */
  readonly code: string
  /** Messages of a 400 by field. Messages about several fields are under `non_field_errors`. */
  readonly errors: Record<string, string[]>
  /** Codes of a 400 by field, in the order of the messages in `errors`. Empty from a service that has no codes yet. */
  readonly codes: Record<string, ProblemCode[]>
  readonly response: Response

  /** @param body of the answer */
  constructor (body: unknown, response: Response) {
    const content = contentOf(body, response)
    super(content?.detail ?? `HTTP ${response.status}, answered by a proxy and not by Obra.`)
    this.status = response.status
    this.code = content === undefined ? proxyCode : content.code ?? 'invalid'
    this.errors = content?.errors ?? {}
    this.codes = content?.codes ?? {}
    this.response = response
  }

  /** `X-Request-Id`, the id of the request in the service's log. */
  get requestId (): string | null {
    return this.response.headers.get('x-request-id')
  }
}

/** A request without an answer. It is a `TypeError`, as the errors of `fetch` are, with a code. */
export class ConnectionError extends TypeError {
  readonly code = 'offline'
  /** The error of `fetch`. */
  override readonly cause: unknown

  /** @param cause the error of `fetch` */
  constructor (cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The request has no answer.')
    this.cause = cause
  }
}

/** An error of the client itself, in the form of the service's errors. */
export function clientError (status: number, code: string, detail: string, response: Response = new Response(null, { status })): ObraError {
  return Object.assign(new ObraError(undefined, response), { code, message: detail })
}

/** The error for an answer that is not the service's, also one with the status of a success. */
export function proxyError (response: Response) {
  return new ObraError(undefined, response)
}

/** Codes of the service's refusals after which the same HEAD can succeed. 502 and 504 come from proxies. */
const codesOfHead: Record<number, string> = { 429: 'throttled', 500: 'error', 503: 'unavailable' }

/** The error for a refused HEAD. The answer has no body, so its status and media type tell whether it is the service's. */
export function headError (response: Response) {
  const code = hasType(response, 'application/json') ? codesOfHead[response.status] : undefined
  return code === undefined ? proxyError(response) : clientError(response.status, code, `HTTP ${response.status}.`, response)
}

/** Whether the service has not seen or answered a request: something between has answered, or has redirected it. */
export function isOfProxy (error: unknown): error is ObraError & { code: 'proxy_error' | 'redirected' } {
  return error instanceof ObraError && (error.code === proxyCode || error.code === 'redirected')
}

/** An answer of openapi-fetch. */
interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** Returns the data of an answer, or throws an {@link ObraError}. */
export async function unwrap<Data> (answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  return data as Data // a successful answer has data
}

/**
 * Returns the data of a successful answer, if it has the form of the service's.
 * @throws {ObraError}
 */
export async function unwrapChecked<Data> (answer: Promise<Answer<Data>>, isRight: (data: Data) => boolean): Promise<Data> {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  if (typeof data !== 'object' || data === null || !isRight(data)) throw proxyError(response)
  return data
}

/** Refuses a page of HTML, which the service sends to no request of the client. @throws {ObraError} */
export async function refuseHtml (response: Response) {
  if (!response.ok || !hasType(response, 'text/html')) return
  await response.body?.cancel()
  throw proxyError(response)
}
