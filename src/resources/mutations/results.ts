import { detailsOf, isHttpError, ValidationError, errorList, type Say } from '../../http/errors.ts'
import type { ProblemCode } from '../../http/problem-codes.ts'

/** Limits of one result. A request has up to 200, and a resource about 25 fields. */
const mostListed = { messages: 50, bytes: 4096 }

/** The three values of a field in conflict. */
export interface Conflict {
  base: unknown
  current: unknown
  yours: unknown
}

/** The result of a mutation. */
export interface Result {
  id: number
  status: number
  record?: { id: number, version: number }
  code?: string
  detail?: string
  errors?: Record<string, string[]>
  /** Not in results that a release before the codes has stored. */
  codes?: Record<string, ProblemCode[]>
  fields?: Record<string, Conflict>
  replayed?: true
}

/** Refuses an update, because fields have other values than the device knew. */
export class FieldConflict extends Error {
  readonly record: { id: number, version: number }
  readonly fields: Record<string, Conflict>

  constructor (record: { id: number, version: number }, fields: Record<string, Conflict>) {
    super('conflict')
    this.record = record
    this.fields = fields
  }
}

/** Refuses a mutation that needs a record which does not exist. */
export class DependencyFailed extends Error {}

/**
 * The result of a mutation that failed with an error.
 * @throws the error itself unless it refuses the mutation: a fault must not be stored
 */
export function resultOfError (id: number, error: unknown, say: Say): Result {
  if (error instanceof ValidationError) {
    return { id, status: 400, detail: say('invalidInput'), ...errorList(error.problems, say, mostListed) }
  }
  if (error instanceof FieldConflict) {
    return { id, status: 409, code: 'conflict', detail: say('fieldConflict'), fields: error.fields, record: error.record }
  }
  if (error instanceof DependencyFailed) return { id, status: 424, code: 'dependency_failed', detail: say('dependencyFailed') }
  if (!isHttpError(error) || error.statusCode >= 500) throw error
  const { code, key, values, extra } = detailsOf(error)
  return { id, status: error.statusCode, code, detail: say(key, values), ...extra?.(say) }
}
