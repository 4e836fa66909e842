import { HttpError as SensibleError, httpErrors, type HttpErrorCodes } from '@fastify/sensible'
import { limits } from '../config/limits.ts'
import { type MessageKey, type MessageValues, message, type Language } from './messages.ts'
import { type ProblemKey, problemCodes, type ProblemCode } from './problem-codes.ts'

/** A problem of one field of a request. `field` is a path such as `folio` or `items.3.folio`. */
export interface Problem {
  field: string
  key: ProblemKey
  values?: MessageValues
}

/** The field for problems that concern no single field. */
export const nonFieldErrors = 'non_field_errors'

/** Content of an error answer besides its status: a stable code and a message in the caller's language. */
interface ErrorDetails {
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
  416: { code: 'range_not_satisfiable', key: 'rangeNotSatisfiable' },
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
    return httpErrors.createError(status, { ...defaults[status], ...details }) as HttpError // the type of `createError` lacks the details
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Whether it is an error of {@link httpError}, `app.assert` or `app.httpErrors`, with a status that the API uses. The answer has the
 * status's message, not that of `app.httpErrors`.
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
  return httpError(429, {
    key: wait === 1 ? 'throttledWaitOne' : 'throttledWait', values: { wait }, headers: { 'retry-after': String(wait) }
  })
}

/** Formats a message in the caller's language. */
export type Say = (key: MessageKey, values?: MessageValues) => string

/** Formats messages in a language, with long input truncated. */
export function sayIn (language: Language): Say {
  return (key, values = {}) => message(language, key, Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? value : echoed(value)])
  ))
}

/** Maximum messages in one answer. */
export const mostMessages = limits.bodies.messages

/** Maximum size of the messages and codes in bytes, including field names. */
const mostBytes = limits.bodies.messageBytes

/** Maximum length of echoed input in characters. */
const mostEchoed = 200

/** Messages by field, and their codes: the same fields, and the codes in the order of the messages. */
interface ErrorList {
  errors: Record<string, string[]>
  codes: Record<string, ProblemCode[]>
}

/**
 * Messages and codes by field, in the order of the problems. If they exceed the limits, `non_field_errors` says that there are more.
 * @param messages maximum, with `bytes` of these messages, their codes and both with the names of their fields
 */
export function errorList (problems: readonly Problem[], say: Say, { messages = mostMessages, bytes = mostBytes } = {}): ErrorList {
  const listed = new Map<string, Map<string, ProblemCode>>()
  const add = (field: string, text: string, code: ProblemCode) => {
    const texts = listed.get(field)
    if (texts === undefined) listed.set(field, new Map([[text, code]]))
    else texts.set(text, code)
  }
  let [count, size] = [0, 0]
  for (const { field, key, values } of problems) {
    const name = echoed(field)
    const text = say(key, values)
    if (listed.get(name)?.has(text) === true) continue
    size += Buffer.byteLength(JSON.stringify([name, text, name, problemCodes[key]]))
    if (++count > messages || size > bytes) {
      add(nonFieldErrors, say('moreProblems'), problemCodes.moreProblems)
      break
    }
    add(name, text, problemCodes[key])
  }
  const fields = [...listed]
  return {
    errors: Object.fromEntries(fields.map(([field, texts]) => [field, [...texts.keys()]])),
    codes: Object.fromEntries(fields.map(([field, texts]) => [field, [...texts.values()]]))
  }
}

/** Truncates long input for an error message. */
function echoed<T extends string | number> (value: T): T | string {
  if (typeof value === 'number' || value.length <= mostEchoed) return value
  return `${value.slice(0, mostEchoed).toWellFormed().replace(/\ufffd$/, '')}…`
}
