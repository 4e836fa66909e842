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

interface ApiErrorOptions {
  values?: MessageValues
  headers?: Record<string, string>
  /** Fields that the body has beside `detail` and `code`, or instead of them. */
  extra?: (say: (key: MessageKey, values?: MessageValues) => string) => Record<string, unknown>
}

/** An answer other than success: status, code that never changes, message in the caller's language. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly code: string
  readonly key: MessageKey
  readonly options: ApiErrorOptions

  constructor (statusCode: number, code: string, key: MessageKey, options: ApiErrorOptions = {}) {
    super(code)
    this.statusCode = statusCode
    this.code = code
    this.key = key
    this.options = options
  }
}

/** 400: everything that is wrong with a request, at once. */
export class ValidationError extends ApiError {
  readonly problems: Problem[]

  constructor (problems: Problem[]) {
    super(400, 'invalid', 'invalidInput')
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

/** 401, with the challenge that RFC 6750 §3 asks for. */
export function unauthorized (code: string, key: MessageKey, extra?: ApiErrorOptions['extra']): ApiError {
  return new ApiError(401, code, key, { headers: { 'www-authenticate': 'Bearer realm="api"' }, extra })
}

/** 404: absent, or another company's, which is the same. */
export function notFound (): ApiError {
  return new ApiError(404, 'not_found', 'notFound')
}

/** 403: the caller's level is too low. */
export function permissionDenied (): ApiError {
  return new ApiError(403, 'permission_denied', 'permissionDenied')
}

/** 412: the record has changed since the caller read it. */
export function preconditionFailed (): ApiError {
  return new ApiError(412, 'precondition_failed', 'preconditionFailed')
}

/** The 429 for a caller over a limit. @param seconds until the next attempt is allowed */
export function throttled (seconds: number): ApiError {
  const wait = Math.max(1, seconds)
  return new ApiError(429, 'throttled', wait === 1 ? 'throttledWaitOne' : 'throttledWait', { values: { wait }, headers: { 'retry-after': String(wait) } })
}
