import { hash } from 'node:crypto'
import type { Row } from '../../database/connection/sql.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { idType, perResource, requestRows, type BatchQuery, type BatchRequest, type Turns } from '../../database/turns/batch-requests.ts'
import { where } from '../../database/where.ts'
import { httpError, type Problem } from '../../http/errors.ts'
import type { Precondition, Versioned } from '../../http/representation.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { recordId } from '../validation/convert.ts'
import { findConflicts } from './conflicts.ts'
import { ownProblems, parametersOf, permit, proposed, shownColumn, withIds, type May } from './input.ts'
import { recordQuery } from '../reading/record.ts'
import { columnsBefore, requested, requestingUser, ruleSql, type RuleRecords } from '../declaration/constraint.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { conflictOf } from '../declaration/states.ts'
import { changeClosedBy, refuseFound, unlessClosed } from './writable.ts'
import { keyOf, keyParameters, rowWithKey, uniqueFields } from './unique.ts'
import { areNoted, callerColumn, notedCallers } from './callers.ts'
import { refusalOf } from './raised.ts'
import { copiedColumns, foundReferences, referenceColumns, referencesFound } from './references.ts'
import { writtenOnce } from './written-once.ts'

/** A record before a change. */
export type Current = Values & Versioned & { id: number }

/** The result of a write, or that another writer came first and nothing is changed. */
export type Attempt<T> = { isOvertaken: false, result: T } | { isOvertaken: true }

/**
 * Changes the fields of the input.
 * @returns the complete record after the change
 * @throws {HttpError} 403, 404, 412, and as {@link changeRecord}
 */
export async function updateRecord (
  turns: Turns, resource: Resource, company: number, id: string, input: Input, unchanged: Precondition, may: May
): Promise<Attempt<Row>> {
  const current = await findCurrent(turns, resource, company, recordId(id))
  permit(resource, input, current, may)
  if (current === undefined) throw httpError(404)
  if (!unchanged(current)) throw httpError(412)
  return await changeRecord(turns, resource, company, current, input)
}

/** The record after the changes of an input, the input's own problems, and its conflict with the current state. */
export function changedRecord (
  resource: Resource, current: Current, input: Input
): { record: Values, problems: Problem[], conflict: ProblemKey | undefined } {
  const record = proposed(resource, current, input)
  const conflict = conflictOf(resource, record, current)
  // The answer names only the seal, and no other problem of the change.
  if (conflict?.isSealed === true) {
    return { record: proposed(resource, current, { values: {}, problems: [] }), problems: [], conflict: conflict.key }
  }
  return { record, problems: ownProblems(resource, record, current, input), conflict: conflict?.key }
}

/**
 * Changes the given fields that differ.
 * @param current the record that was read. If its version has changed, nothing is changed.
 * @param inBulk writes all fields, in one statement with other changes. Otherwise writes only the changed ones, and reads the record
 * afterwards.
 * @returns as {@link updateRecord}
 * @throws {ValidationError} with all problems; {@link HttpError} 409 if the record's state does not allow the change
 */
export async function changeRecord (
  turns: Turns, resource: Resource, company: number, current: Current, input: Input, inBulk = false
): Promise<Attempt<Row>> {
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
        throw await refusalOf(error, { read: turns.read, resource, company, record: next, self: current.id })
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
export function modification (
  resource: Resource, company: number, { id, version }: Current, next: Values, fields: string[] = resource.written
): BatchRequest {
  const { query, part } = updateOf(resource, fields)
  return { query, company, values: [id, version, ...parametersOf(part, next)] }
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
export async function findByKey (
  { read }: Turns, resource: Resource, company: number, field: string, values: Values
): Promise<Current | undefined> {
  return only(await read({ query: currentByKey(resource)[field], company, values: keyOf(resource, field, values) }))
}

/** The record of a query that returns one at most. */
function only (rows: Row[]): Current | undefined {
  return rows[0] as Current | undefined // the columns of `currentOf`
}

/** @param row SQL of the record with the key of `q`, as `t` */
function currentOf (resource: Resource, by: string, columns: BatchQuery['columns'], rows: string, row: string): BatchQuery {
  const fields = [
    ...Object.keys(resource.columns).map(column => `${resource.printed[column] ?? `t.${column}`} as ${column}`),
    ...Object.entries(resource.references).map(([field, { column }]) => `t.${column} as ${field}`),
    ...Object.entries(resource.echoed).map(([field, sql]) => `${sql} as ${shownColumn(field)}`)
  ]
  const joins = Object.keys(resource.echoed).length === 0 ? '' : resource.joins
  return {
    name: `${resource.name} current by ${by}`,
    columns,
    text: `
      select q.i, t.company_id as company, t.id, t.version, t.updated_at, ${fields.join(', ')}
      from ${rows}
      cross join lateral ${row} t ${joins}`
  }
}

/** The writable fields of the record with an `id`, and its id and version. */
const currentQuery = perResource((resource: Resource) => {
  const columns = [['id', idType]] as const
  return currentOf(resource, 'id', columns, requestRows(columns), keyedRow('id', { table: resource.name, value: 'q.id' }))
})

/** The same for the record with a unique value, by field. Its values are those of `keyOf`. */
const currentByKey = perResource((resource: Resource) => Object.fromEntries(uniqueFields(resource).map(({ field }) => {
  const columns = keyParameters(resource, field).map(({ column }) => [column, resource.columns[column] ?? idType] as const)
  const copied = resource.copies.filter(({ column }) => resource.uniqueWithin[field]?.some(scope => scope.column === column))
  const given = requestRows(columns)
  const rows = copied.length === 0 ? given : `(select q.*, ${copiedColumns({ copies: copied }).join(', ')} from ${given}) q`
  const row = rowWithKey(resource, field, { as: 't', select: 't.*' })
  return [field, currentOf(resource, field, columns, rows, row)]
})))

/** The statement that changes some fields, and the part of the resource that these fields are. */
interface FieldUpdate {
  query: BatchQuery
  part: Pick<Resource, 'columns' | 'references'>
}

/** Sets of changed fields with their own statement, the first to occur. In each connection, PostgreSQL takes about 430 kB for one. */
const mostSets = 10
const updates = new WeakMap<Resource, Map<string, FieldUpdate>>()

/** The records of a rule in a statement of changes, which carries the columns before the change as `o_<column>`. */
const changedOnes: RuleRecords = { id: 'q.id', caller: requestingUser, after: requested, before: column => `q.o_${column}` }

/** The update of some fields: with its own statement, or with that for all fields if there are too many sets. @param fields in order */
export function updateOf (resource: Resource, fields: string[]): FieldUpdate {
  let known = updates.get(resource)
  if (known === undefined) updates.set(resource, known = new Map())
  const chosen = known.has(fields.join()) || known.size < mostSets ? fields : resource.written
  let update = known.get(chosen.join())
  if (update === undefined) known.set(chosen.join(), update = fieldUpdate(resource, chosen))
  return update
}

/**
 * The record, only in the version that was read, with its place. A join by the place has one plan; by the company, the planner can read all
 * of it.
 */
export function ofThatVersion ({ name }: Resource): string {
  const row = keyedRow('id', { table: name, select: 't.*, t.ctid as place', value: 'q.id', where: 't.version = q.version' })
  return `cross join lateral ${row} t`
}

/**
 * Changes the records that can be changed and skips the others, like a create: records of another version, conflicts, and all but the first
 * of several changes of a record. Its values are `id`, `version`, the columns and the references. Other fields keep their values, so
 * the statement checks only what the given ones can break.
 */
function fieldUpdate (resource: Resource, fields: string[]): FieldUpdate {
  const { name } = resource
  const isChanged = (field: string) => fields.includes(field)
  const part = {
    columns: Object.fromEntries(Object.entries(resource.columns).filter(([column]) => isChanged(column))),
    references: Object.fromEntries(Object.entries(resource.references).filter(([field]) => isChanged(field)))
  }
  const columns = [['id', idType], ['version', 'int'], ...Object.entries(part.columns), ...referenceColumns(part), callerColumn] as const
  const record = [
    ...Object.keys(resource.columns).map(column => `${isChanged(column) ? 'q' : 't'}.${column}`),
    ...Object.entries(resource.references).map(([field, { column }]) =>
      isChanged(field) ? `q.${field}_id, q.${field}_name` : `t.${column} as ${field}_id`),
    ...resource.copies.map(({ column }) => `t.${column}`)
  ]
  const { nth, first } = writtenOnce(resource, isChanged)
  const checked = resource.constraints.filter(({ only, dependsOn, raised }) =>
    only !== 'new' && raised !== true && (dependsOn?.some(isChanged) ?? true))
  const before = columnsBefore(checked).map(column => `t.${column} as o_${column}`)
  const conditions = [
    ...referencesFound(part),
    ...first,
    ...uniqueFields(resource, 'o.id <> q.id', isChanged).map(({ taken }) => `not ${taken}`),
    ...checked.map(({ sql }) => `(${ruleSql(sql, changedOnes)}) is not true`),
    ...unlessClosed(changeClosedBy(resource))
  ]
  const changed = changedRows(name, [
    ...Object.keys(part.columns).map(column => ({ column, value: column })),
    ...Object.entries(part.references).map(([field, { column }]) => ({ column, value: `found_${field}` }))
  ])
  return {
    part,
    query: {
      // PostgreSQL compares only the first 63 bytes of a name.
      name: `${name} change ${hash('sha1', fields.join(), 'base64url').slice(0, 12)}`,
      columns,
      text: `
      with proposed as (
        select q.i, q.company, q.id, q.caller, t.place, ${[...record, ...before].join(', ')}
        from ${requestRows(columns)} ${ofThatVersion(resource)}),
      resolved as materialized (select ${['q.*', ...foundReferences(part), ...nth].join(', ')} from proposed q),
      admissible as materialized (
        select distinct on (q.company, q.id) q.*
        from resolved q
        ${where(conditions)}
        order by q.company, q.id, q.i),
      ${[notedCallers(name), ...changed].join(', ')}
      select i from admissible where ${areNoted}`
    }
  }
}

/** The CTE that writes columns of the `admissible` rows which differ. None without columns. @param written each column with that of `q` */
function changedRows (table: string, written: Array<{ column: string, value: string }>): string[] {
  if (written.length === 0) return []
  return [`
      changed as (
        update ${table} t set ${written.map(({ column, value }) => `${column} = q.${value}`).join(', ')}
        from admissible q
        where t.ctid = q.place
          and (${written.map(({ column }) => `t.${column}`).join(', ')})
            is distinct from (${written.map(({ value }) => `q.${value}`).join(', ')}))`]
}
