import { sqlState } from '../../database/connection/sql-errors.ts'
import type { Turns } from '../../database/turns/batch-requests.ts'
import type { Problem } from '../../http/errors.ts'
import type { Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { findConflicts } from './conflicts.ts'
import { explained } from './constraint-errors.ts'
import { refuseFound } from './writable.ts'

/** A single write that the database has refused. */
interface RefusedWrite {
  read: Turns['read']
  resource: Resource
  company: number
  record: Values
  /** Id of the record, if it exists. */
  self?: number
}

const seen = new WeakSet<object>()

/**
 * The error of a single write that the database has refused: all problems that lookups find, as in a set, otherwise that of the constraint.
 * @returns the error to throw, which can be a fault of the lookup
 */
export async function refusalOf (error: unknown, { read, resource, company, record, self }: RefusedWrite): Promise<unknown> {
  const meaning = explained(resource, record, error)
  if (meaning === error) return error
  try {
    if (resource.constraints.some(({ raised }) => raised === true)) {
      refuseFound([], await findConflicts(read, resource, company, record, self))
    }
  } catch (found) {
    // In a transaction without a savepoint, nothing can be looked up any more.
    if (sqlState(found) !== '25P02') return found
  }
  if (typeof meaning === 'object' && meaning !== null) seen.add(meaning)
  return meaning
}

/** Whether only a write shows the refusal: no lookup has found it. */
export function isSeenByWrite (error: unknown): boolean {
  return typeof error === 'object' && error !== null && seen.has(error)
}

/** Whether a problem that was looked up is one for which a trigger refuses the whole statement. */
export function isRaised ({ constraints }: Resource, problem: Problem): boolean {
  return constraints.some(({ raised, field, key }) => raised === true && field === problem.field && key === problem.key)
}
