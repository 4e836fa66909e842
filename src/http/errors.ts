import { HttpError as SensibleError, httpErrors, type HttpErrorCodes } from '@fastify/sensible'
import type { MessageKey, MessageValues } from './messages.ts'
import type { ProblemKey } from './problem-codes.ts'

/** A problem of one field of a request. `field` is a path such as `folio` or `items.3.folio`. */
export interface Problem {
  field: string
  key: ProblemKey
  values?: MessageValues
}

/** The field for problems that concern no single field. */
export const nonFieldErrors = 'non_field_errors'

/** Content of an error answer besides its status: a stable code and a message in the caller's language. */
export interface ErrorDetails {
  code: string
  key: MessageKey
  values?: MessageValues
  headers?: Record<string, string>
  /** Fields of the body besides `detail` and `code`, or instead of them. */
  extra?: (say: (key: MessageKey, values?: MessageValues) => string) => Record<string, unknown>
}

/** Defaults by status. */
const defaults = {
  401: { code: 'not_authenticated', key: 'notAuthenticated', headers: { 'www-authenticate': 'Bearer realm="api"' } }, // RFC 6750 §3
  403: { code: 'permission_denied', key: 'permissionDenied' },
  404: { code: 'not_found', key: 'notFound' },
  405: { code: 'method_not_allowed', key: 'methodNotAllowed' },
  406: { code: 'not_acceptable', key: 'notAcceptable' },
  409: { code: 'conflict', key: 'conflict' },
  410: { code: 'resync', key: 'resync' },
  412: { code: 'precondition_failed', key: 'preconditionFailed' },
  413: { code: 'body_too_large', key: 'bodyTooLarge' },
  415: { code: 'unsupported_media_type', key: 'unsupportedMediaType' },
  422: { code: 'idempotency_mismatch', key: 'idempotencyMismatch' },
  429: { code: 'throttled', key: 'throttledWait' },
  500: { code: 'error', key: 'serverError' },
  503: { code: 'unavailable', key: 'unavailable', headers: { 'retry-after': '1' } }
} as const satisfies Partial<Record<HttpErrorCodes, ErrorDetails>>

/** An error of `@fastify/sensible` with a status that the API uses. */
export type HttpError = SensibleError<keyof typeof defaults>

/**
 * Creates an error. It has no stack trace: http-errors captures three, which takes longer than the rest of some refusals.
 * @param details override the defaults of the status
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
 * Whether it is an error of {@link httpError}, `app.assert` or `app.httpErrors`, with a status that the API uses. The answer has the status's
 * message, not that of `app.httpErrors`.
 */
export function isHttpError (error: unknown): error is HttpError {
  return error instanceof SensibleError && error.statusCode in defaults
}

/** @returns the content of the answer */
export function detailsOf ({ statusCode, code, key, values, headers, extra }: HttpError): ErrorDetails {
  const status: ErrorDetails = defaults[statusCode]
  return { code: code ?? status.code, key: key ?? status.key, values, headers: headers ?? status.headers, extra }
}

/** 400 with all problems of a request. */
export class ValidationError extends Error {
  readonly statusCode = 400
  readonly problems: Problem[]

  constructor (problems: Problem[]) {
    super('invalid')
    this.problems = problems
  }
}

/** @throws {ValidationError} if there are problems */
export function refuse (problems: Problem[]): void {
  if (problems.length > 0) throw new ValidationError(problems)
}

/** 400: the request is not valid HTTP, or no request of the API. */
export function malformedRequest (): ValidationError {
  return new ValidationError([{ field: nonFieldErrors, key: 'malformedRequest' }])
}

/** The 429 for a caller over a limit. @param seconds until the next attempt is allowed */
export function throttled (seconds: number): HttpError {
  const wait = Math.max(1, seconds)
  return httpError(429, { key: wait === 1 ? 'throttledWaitOne' : 'throttledWait', values: { wait }, headers: { 'retry-after': String(wait) } })
}
