import type { Operation } from '../../auth/access.ts'
import type { Row } from '../../database/connection/sql.ts'
import { sqlState } from '../../database/connection/sql-errors.ts'
import type { BatchRequest, Turns } from '../../database/turns/requests.ts'
import { httpError, type Problem } from '../../http/errors.ts'
import type { Precondition, Versioned } from '../../http/representation.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { recordId } from '../declaration/conditions.ts'
import { explained } from './constraint-errors.ts'
import { findConflicts } from './conflicts.ts'
import { withIds } from './external-references.ts'
import { parametersOf, proposed } from './input.ts'
import { recordQuery } from '../reading/record.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { refuseRemoval } from './protection.ts'
import { refuseFound } from './writable.ts'
import { keyOf } from './unique.ts'
import { dependentsQuery, removeQuery } from './removal-queries.ts'
import { currentByKey, updateOf, currentQuery } from './update-queries.ts'

/** A record before a change. */
export type Current = Values & Versioned & { id: number }

/** The result of a write, or that another writer came first and nothing is changed. */
export type Attempt<T> = { isOvertaken: false, result: T } | { isOvertaken: true }

/** Whether the caller can do an operation. */
export type May = (operation: Operation) => boolean

/**
 * Changes the fields of the input.
 * @returns the complete record after the change
 * @throws {HttpError} 403, 404, 412, and as {@link changeRecord}
 */
export async function updateRecord (turns: Turns, resource: Resource, company: number, id: string, input: Input, unchanged: Precondition, may: May): Promise<Attempt<Row>> {
  const current = await findCurrent(turns, resource, company, recordId(id))
  permit(resource, input, current, may)
  if (current === undefined) throw httpError(404)
  if (!unchanged(current)) throw httpError(412)
  return await changeRecord(turns, resource, company, current, input)
}

/** The record after the changes of an input, the input's own problems, and its conflict with the current state. */
export function changedRecord (resource: Resource, current: Current, input: Input): { record: Values, problems: Problem[], conflict: ProblemKey | undefined } {
  const record = proposed(resource, current, input)
  return { record, problems: [...input.problems, ...resource.rules(record, current, input.values)], conflict: resource.conflict?.(record, current) }
}

/**
 * Changes the given fields that differ.
 * @param current the record that was read. If its version has changed, nothing is changed.
 * @param inBulk writes all fields, in one statement with other changes. Otherwise writes only the changed ones, and reads the record afterwards.
 * @returns as {@link updateRecord}
 * @throws {ValidationError} with all problems; {@link HttpError} 409 if the record's state does not allow the change
 */
export async function changeRecord (turns: Turns, resource: Resource, company: number, current: Current, input: Input, inBulk = false): Promise<Attempt<Row>> {
  const { record: next, problems, conflict } = changedRecord(resource, current, await withIds(turns.read, resource, company, input))
  const fields = inBulk ? undefined : resource.written.filter(field => next[field] !== current[field])
  // A conflict of the first attempt may be gone when it is looked up. Then the second attempt succeeds.
  for (let attempt = 1; attempt <= 2; attempt++) {
    if (problems.length === 0 && conflict === undefined) {
      const answer = inBulk ? undefined : { query: recordQuery(resource), values: [current.id] }
      try {
        const [changed] = await turns.write({ ...modification(resource, company, current, next, fields), answer })
        if (changed !== undefined) return { isOvertaken: false, result: changed }
      } catch (error) {
        throw explained(resource, next, error)
      }
    }
    const [found, now] = await Promise.all([
      findConflicts(turns.read, resource, company, next, current.id),
      findCurrent(turns, resource, company, current.id)
    ])
    if (now?.version !== current.version) return { isOvertaken: true }
    refuseFound(problems, found)
    if (conflict !== undefined) throw httpError(409, { key: conflict })
  }
  return { isOvertaken: true }
}

/**
 * The request that changes a record. It returns no row on a conflict, or if the version has changed.
 * @param fields the changed ones. By default all, so that changes of different fields are one statement.
 */
export function modification (resource: Resource, company: number, { id, version }: Current, next: Values, fields: string[] = resource.written): BatchRequest {
  const { query, part } = updateOf(resource, fields)
  return { query, company, values: [id, version, ...parametersOf(part, next)] }
}

/**
 * Deletes a record.
 * @throws {HttpError} 404, 412, 409 with counts of the dependents
 */
export async function removeRecord (turns: Turns, resource: Resource, company: number, id: string, unchanged: Precondition): Promise<Attempt<void>> {
  const current = await requireCurrent(turns, resource, company, recordId(id))
  if (!unchanged(current)) throw httpError(412)

  let isReferred = false
  const [removed] = await turns.write({ query: removeQuery(resource), company, values: [current.id, current.version] }).catch((error) => {
    if (sqlState(error) !== '23503') throw explained(resource, {}, error)
    isReferred = true
    return []
  })
  if (removed !== undefined) return { isOvertaken: false, result: undefined }
  const [row] = await turns.read({ query: dependentsQuery(resource), company, values: [current.id] }).catch((error) => {
    // A unit of work can only end after the error of the foreign key.
    throw isReferred ? httpError(409, { code: 'protected' }) : error
  })
  if (row?.['version'] === current.version) refuseRemoval(resource, row)
  if (isReferred) throw httpError(409, { code: 'protected' })
  return { isOvertaken: true }
}

/** Reads the record with an id. */
export async function findCurrent ({ read }: Turns, resource: Resource, company: number, id: unknown): Promise<Current | undefined> {
  return only(await read({ query: currentQuery(resource), company, values: [id] }))
}

/** Reads the record with an id. @throws {HttpError} 404 */
export async function requireCurrent (turns: Turns, resource: Resource, company: number, id: unknown): Promise<Current> {
  const current = await findCurrent(turns, resource, company, id)
  if (current === undefined) throw httpError(404)
  return current
}

/** Reads the record with the value of a unique field. @param values of the field and of the references within which it is unique */
export async function findByKey ({ read }: Turns, resource: Resource, company: number, field: string, values: Values): Promise<Current | undefined> {
  return only(await read({ query: currentByKey(resource)[field], company, values: keyOf(resource, field, values) }))
}

/** The record of a query that returns one at most. */
function only (rows: Row[]): Current | undefined {
  return rows[0] as Current | undefined
}

/** Checks whether the caller can make the change. @throws {HttpError} 403 */
export function permit (resource: Resource, { values }: Input, current: Current | undefined, may: May): void {
  if (resource.demands !== undefined && !may(resource.demands(values, current))) throw httpError(403)
}
