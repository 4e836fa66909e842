import { HttpError as SensibleError, httpErrors, type HttpErrorCodes } from '@fastify/sensible'
import type { MessageKey } from './messages.ts'

/** The values that a message's placeholders take. */
export type MessageValues = Record<string, string | number>

/** What is wrong with one field of a request; `field` is a path such as `folio` or `items.3.folio`. */
export interface Problem {
  field: string
  key: MessageKey
  values?: MessageValues
}

/** Where problems of no one field are reported. */
export const nonFieldErrors = 'non_field_errors'

/** What an answer other than success says beside its status: a code that never changes and a message in the caller's language. */
export interface ErrorDetails {
  code: string
  key: MessageKey
  values?: MessageValues
  headers?: Record<string, string>
  /** Fields that the body has beside `detail` and `code`, or instead of them. */
  extra?: (say: (key: MessageKey, values?: MessageValues) => string) => Record<string, unknown>
}

/** What a status says by default. */
const defaults = {
  401: { code: 'not_authenticated', key: 'notAuthenticated', headers: { 'www-authenticate': 'Bearer realm="api"' } }, // RFC 6750 §3
  403: { code: 'permission_denied', key: 'permissionDenied' },
  404: { code: 'not_found', key: 'notFound' },
  405: { code: 'method_not_allowed', key: 'methodNotAllowed' },
  406: { code: 'not_acceptable', key: 'notAcceptable' },
  409: { code: 'conflict', key: 'conflict' },
  412: { code: 'precondition_failed', key: 'preconditionFailed' },
  413: { code: 'body_too_large', key: 'bodyTooLarge' },
  415: { code: 'unsupported_media_type', key: 'unsupportedMediaType' },
  422: { code: 'idempotency_mismatch', key: 'idempotencyMismatch' },
  429: { code: 'throttled', key: 'throttledWait' },
  500: { code: 'error', key: 'serverError' },
  503: { code: 'unavailable', key: 'unavailable', headers: { 'retry-after': '1' } }
} as const satisfies Partial<Record<HttpErrorCodes, ErrorDetails>>

/** An error of `@fastify/sensible` with a status that the API has. */
export type HttpError = SensibleError<keyof typeof defaults>

/**
 * An error of that status. It has no stack: http-errors captures three, which takes longer than the rest of some refusals.
 * @param details where they differ from the status's defaults
 */
export function httpError (status: HttpError['status'], details: Partial<ErrorDetails> = {}): HttpError {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return httpErrors.createError(status, { ...defaults[status], ...details }) as HttpError
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Whether it is an error of {@link httpError}, `app.assert` or `app.httpErrors`, with a status that the API has. The answer has the status's
 * message, not that of `app.httpErrors`.
 */
export function isHttpError (error: unknown): error is HttpError {
  return error instanceof SensibleError && error.statusCode in defaults
}

/** @returns what the answer says */
export function detailsOf ({ statusCode, code, key, values, headers, extra }: HttpError): ErrorDetails {
  const status: ErrorDetails = defaults[statusCode]
  return { code: code ?? status.code, key: key ?? status.key, values, headers: headers ?? status.headers, extra }
}

/** 400: everything that is wrong with a request, at once. */
export class ValidationError extends Error {
  readonly statusCode = 400
  readonly problems: Problem[]

  constructor (problems: Problem[]) {
    super('invalid')
    this.problems = problems
  }
}

/** @throws {ValidationError} when there are problems */
export function refuse (problems: Problem[]): void {
  if (problems.length > 0) throw new ValidationError(problems)
}

/** 400: the request is not valid HTTP, or not one of the API. */
export function malformedRequest (): ValidationError {
  return new ValidationError([{ field: nonFieldErrors, key: 'malformedRequest' }])
}

/** The 429 for a caller over a limit. @param seconds until the next attempt is allowed */
export function throttled (seconds: number): HttpError {
  const wait = Math.max(1, seconds)
  return httpError(429, { key: wait === 1 ? 'throttledWaitOne' : 'throttledWait', values: { wait }, headers: { 'retry-after': String(wait) } })
}
