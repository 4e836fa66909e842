import { keyedRow } from '../../database/turns/keyed-row.ts'
import { scopeKey } from '../declaration/children.ts'
import type { Resource, ScopeColumn, Values } from '../declaration/resource.ts'

/** A field whose values are unique, in the company or within references. */
export interface UniqueField {
  field: string
  /** SQL over `q`: another record has the value. */
  taken: string
  /** SQL over `q` of the columns that are unique together. */
  key: string
}

/** A parameter of a key: the key's own value, or the id of a reference. */
export interface KeyParameter {
  field: string
  column: string
}

/** The parameters of the key that a unique field and its references are. A reference that is copied from a parent stands for this parent. */
export function keyParameters ({ uniqueWithin, copies }: Pick<Resource, 'uniqueWithin' | 'copies'>, field: string): KeyParameter[] {
  const references = (uniqueWithin[field] ?? []).map(({ column }) => copies.find(copy => copy.column === column)?.via ?? column.replace(/_id$/, ''))
  return [{ field, column: field }, ...[...new Set(references)].map(reference => ({ field: reference, column: `${reference}_id` }))]
}

/** The values of the parameters of a key. */
export function keyOf (resource: Pick<Resource, 'uniqueWithin' | 'copies'>, field: string, values: Values): unknown[] {
  return keyParameters(resource, field).map(({ field }) => values[field] ?? null)
}

/** SQL of the row with the key of `q`, as one index lookup like `keyedRow`. */
export function rowWithKey ({ name, uniqueWithin }: Pick<Resource, 'name' | 'uniqueWithin'>, field: string, { as, select, where }: { as: string, select: string, where: string }): string {
  const scope = uniqueWithin[field]
  if (scope === undefined) return keyedRow(field, { table: name, as, select, value: `q.${field}`, where })
  const keys = keysOf(scope, field, as)
  return `(select ${select} from ${name} ${as} where ${as}.company_id = q.company and ${keys.map(([own, value]) => `${own} between ${value} and ${value}`).join(' and ')} and ${where}
        order by ${keys.map(([own]) => own).join(', ')} limit 1 offset 0)`
}

function keysOf (scope: ScopeColumn[], field: string, as: string): Array<readonly [string, string]> {
  return [...scope.map(column => [scopeKey(`${as}.`, column), scopeKey('q.', column)] as const), [`${as}.${field}`, `q.${field}`]]
}

/**
 * The unique fields of a resource.
 * @param others SQL condition that `o` is another record than `q`
 * @param isChanged whether a write changes a field. By default all are written.
 */
export function uniqueFields (resource: Resource, others = 'true', isChanged: (field: string) => boolean = () => true): UniqueField[] {
  const { unique, uniqueWithin } = resource
  const within = Object.entries(uniqueWithin).filter(([field, columns]) => isChanged(field) || columns.some(({ column }) => isChanged(column.replace(/_id$/, ''))))
  return [...unique.filter(isChanged), ...within.map(([field]) => field)].map(field => ({
    field,
    taken: `exists ${rowWithKey(resource, field, { as: 'o', select: 'o.*', where: others })}`,
    key: ['q.company', ...keysOf(uniqueWithin[field] ?? [], field, 'o').map(([, value]) => value)].join(', ')
  }))
}
