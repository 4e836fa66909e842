import { hash } from 'node:crypto'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import { idType } from '../declaration/conditions.ts'
import { areNoted, callerColumn, notedCallers } from './callers.ts'
import { copiedColumns, foundReferences, referenceColumns, referencesFound } from './references.ts'
import type { Resource } from '../declaration/resource.ts'
import { shownColumn } from './input.ts'
import { keyParameters, rowWithKey, uniqueFields } from './unique.ts'
import { changeClosedBy } from './writable.ts'
import { writtenOnce } from './written-once.ts'
import { perResource } from '../declaration/per-resource.ts'

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
export const currentQuery = perResource((resource: Resource) => {
  const columns = [['id', idType]] as const
  return currentOf(resource, 'id', columns, requestRows(columns), keyedRow('id', { table: resource.name, value: 'q.id' }))
})

/** The same for the record with a unique value, by field. Its values are those of `keyOf`. */
export const currentByKey = perResource((resource: Resource) => Object.fromEntries(uniqueFields(resource).map(({ field }) => {
  const columns = keyParameters(resource, field).map(({ column }) => [column, resource.columns[column] ?? idType] as const)
  const copied = resource.copies.filter(({ column }) => resource.uniqueWithin[field]?.some(scope => scope.column === column))
  const given = requestRows(columns)
  const rows = copied.length === 0 ? given : `(select q.*, ${copiedColumns({ copies: copied }).join(', ')} from ${given}) q`
  const row = rowWithKey(resource, field, { as: 't', select: 't.*', where: 'true' })
  return [field, currentOf(resource, field, columns, rows, row)]
})))

/** The statement that changes some fields, and the part of the resource that these fields are. */
export interface FieldUpdate {
  query: BatchQuery
  part: Pick<Resource, 'columns' | 'references'>
}

/** Sets of changed fields with their own statement, the first to occur. In each connection, PostgreSQL takes about 430 kB for one. */
const mostSets = 10
const updates = new WeakMap<Resource, Map<string, FieldUpdate>>()

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
  const checked = resource.constraints.filter(({ only, dependsOn }) => only !== 'new' && (dependsOn?.some(isChanged) ?? true))
  const conditions = [
    ...referencesFound(part),
    ...first,
    ...uniqueFields(resource, 'o.id <> q.id', isChanged).map(({ taken }) => `not ${taken}`),
    ...checked.map(({ sql }) => `(${sql.replaceAll('q.self', 'q.id')}) is not true`),
    `${changeClosedBy(resource)} is null`
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
        select q.i, q.company, q.id, q.caller, t.place, ${record.join(', ')}
        from ${requestRows(columns)} ${ofThatVersion(resource)}),
      resolved as materialized (select ${['q.*', ...foundReferences(part), ...nth].join(', ')} from proposed q),
      admissible as materialized (
        select distinct on (q.company, q.id) q.*
        from resolved q
        where ${['true', ...conditions].join(' and ')}
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
          and (${written.map(({ column }) => `t.${column}`).join(', ')}) is distinct from (${written.map(({ value }) => `q.${value}`).join(', ')}))`]
}
