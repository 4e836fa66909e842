import { hash } from 'node:crypto'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import { idType } from '../declaration/conditions.ts'
import { areNoted, callerColumn, notedCaller, notedCallers } from './callers.ts'
import { copiedColumns, foundReferences, referenceColumns, referencesFound } from './references.ts'
import type { Dependent, Resource } from '../declaration/resource.ts'
import { keyParameters, rowWithKey, uniqueFields } from './unique.ts'
import { isClosed, isClosedChange } from './writable.ts'
import { writtenOnce } from './written-once.ts'
import { perResource } from '../declaration/per-resource.ts'

/** The record, only in the version that was read, with its place. A join by the place has one plan; by the company, the planner can read all of it. */
const ofThatVersion = (resource: Resource) => `
  cross join lateral ${keyedRow('id', { table: resource.name, select: 't.*, t.ctid as place', value: 'q.id', where: 't.version = q.version' })} t`

/** @param row SQL of the record with the key of `q`, as `t` */
function currentOf (resource: Resource, by: string, columns: BatchQuery['columns'], rows: string, row: string): BatchQuery {
  const fields = [...Object.keys(resource.columns).map(column => `${resource.printed[column] ?? `t.${column}`} as ${column}`), ...Object.entries(resource.references).map(([field, { column }]) => `t.${column} as ${field}`)]
  return {
    name: `${resource.name} current by ${by}`,
    columns,
    text: `
      select q.i, t.company_id as company, t.id, t.version, t.updated_at, ${fields.join(', ')}
      from ${rows}
      cross join lateral ${row} t`
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
  const rows = copied.length === 0 ? requestRows(columns) : `(select q.*, ${copiedColumns({ copies: copied }).join(', ')} from ${requestRows(columns)}) q`
  return [field, currentOf(resource, field, columns, rows, rowWithKey(resource, field, { as: 't', select: 't.*', where: 'true' }))]
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
  const columns: Array<readonly [string, string]> = [['id', idType], ['version', 'int'], ...Object.entries(part.columns), ...referenceColumns(part), callerColumn]
  const record = [
    ...Object.keys(resource.columns).map(column => `${isChanged(column) ? 'q' : 't'}.${column}`),
    ...Object.entries(resource.references).map(([field, { column }]) => isChanged(field) ? `q.${field}_id, q.${field}_name` : `t.${column} as ${field}_id`),
    ...resource.copies.map(({ column }) => `t.${column}`)
  ]
  const { nth, first } = writtenOnce(resource, isChanged)
  const untaken = uniqueFields(resource, 'o.id <> q.id', isChanged).map(({ taken }) => `not ${taken}`)
  const satisfied = resource.constraints.filter(({ dependsOn }) => dependsOn?.some(isChanged) ?? true).map(({ sql }) => `(${sql.replaceAll('q.self', 'q.id')}) is not true`)
  if (resource.writableState !== undefined) satisfied.push(`not ${isClosedChange(resource)}`)
  const written = [...Object.keys(part.columns).map(column => [column, column]), ...Object.entries(part.references).map(([field, { column }]) => [column, `found_${field}`])]
  const all = (table: 't' | 'q') => written.map(([column, value]) => `${table}.${table === 't' ? column : value}`).join(', ')
  const update = written.length === 0
    ? ''
    : `,
      changed as (
        update ${name} t set ${written.map(([column, value]) => `${column} = q.${value}`).join(', ')}
        from admissible q
        where t.ctid = q.place and (${all('t')}) is distinct from (${all('q')}))`
  return {
    part,
    query: {
      // PostgreSQL compares only the first 63 bytes of a name.
      name: `${name} change ${hash('sha1', fields.join(), 'base64url').slice(0, 12)}`,
      columns,
      text: `
      with proposed as (select q.i, q.company, q.id, q.caller, t.place, ${record.join(', ')} from ${requestRows(columns)} ${ofThatVersion(resource)}),
      resolved as materialized (select ${['q.*', ...foundReferences(part), ...nth].join(', ')} from proposed q),
      admissible as materialized (
        select distinct on (q.company, q.id) q.*
        from resolved q
        where ${['true', ...referencesFound(part), ...first, ...untaken, ...satisfied].join(' and ')}
        order by q.company, q.id, q.i),
      ${notedCallers(name)}${update}
      select i from admissible where ${areNoted}`
    }
  }
}

/** SQL of the records that refer to `t`. Each range and its order leave only the index by the reference, as in `keyedRow`. */
function referring ({ through, ...link }: Dependent): string {
  const path = [...through, link]
  const joins = path.map(({ from, column }, index) => {
    const parent = index === 0 ? 't' : `d${index - 1}`
    return `(select x.id from ${from} x where x.company_id = t.company_id and x.${column} between ${parent}.id and ${parent}.id order by x.${column} offset 0) d${index}`
  })
  return `(select d${path.length - 1}.id from ${joins.join(' cross join lateral ')})`
}

/** Deletes records without dependents and skips the others, like {@link updateOf}. It finds one dependent and does not count. Its values are `id` and `version`. */
export const removeQuery = perResource((resource: Resource): BatchQuery => {
  const columns = [['id', idType], ['version', 'int'], callerColumn] as const
  return {
    name: `${resource.name} remove`,
    columns,
    perCaller: resource.cascades,
    text: `
      with admissible as materialized (
        select distinct on (q.company, q.id) q.*, t.place
        from ${requestRows(columns)} ${ofThatVersion(resource)}
        where ${['true', ...resource.writableState === undefined ? [] : [`not ${isClosed(resource, 't', 't.company_id')}`], ...resource.kept === undefined ? [] : [`(${resource.kept.sql}) is not true`], ...resource.dependents.map(link => `not exists ${referring(link)}`)].join(' and ')}
        order by q.company, q.id, q.i),
      ${resource.cascades ? notedCaller : notedCallers(resource.name)},
      removed as (delete from ${resource.name} t using admissible q where t.ctid = q.place)
      select i from admissible where ${areNoted}`
  }
})

/** Whether a record is kept whatever refers to it, the numbers of its dependents, and its version. */
export const dependentsQuery = perResource((resource: Resource): BatchQuery => {
  const columns = [['id', idType]] as const
  const { kept, dependents } = resource
  const counts = dependents.map((link, index) => `(select count(*) from ${referring(link)} d)::int as count_${index}`)
  return {
    name: `${resource.name} dependents`,
    slow: true,
    columns,
    text: `
      select ${['q.i', 't.version', `(${kept?.sql ?? 'false'}) as kept`, `${isClosed(resource, 't', 't.company_id')} as closed`, ...counts].join(', ')}
      from ${requestRows(columns)}
      cross join lateral ${keyedRow('id', { table: resource.name, value: 'q.id' })} t`
  }
})
