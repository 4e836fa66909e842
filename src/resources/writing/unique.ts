import { byIndex } from '../../database/by-index.ts'
import { perResource } from '../../database/turns/batch-requests.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'

/** A field whose values are unique, in the company or within references. */
interface UniqueField {
  field: string
  /** SQL over `q`: another record has the value. */
  taken: string
  /** SQL over `q` of the columns that are unique together. */
  key: string
}

/** A parameter of a key: the key's own value, or the id of a reference. */
interface KeyParameter {
  field: string
  column: string
}

/**
 * The parameters of the key that a unique field and its references are. A reference that is copied from a parent stands for this parent.
 */
export function keyParameters (resource: Keyed, field: string): KeyParameter[] {
  const known = parametersByField(resource)
  let parameters = known.get(field)
  if (parameters === undefined) known.set(field, parameters = parametersOf(resource, field))
  return parameters
}

/** What the keys of a resource depend on. */
type Keyed = Pick<Resource, 'uniqueWithin' | 'copies'>

/** Kept, because a bulk needs them for each item. */
const parametersByField = perResource((_resource: Keyed) => new Map<string, KeyParameter[]>())

function parametersOf ({ uniqueWithin, copies }: Keyed, field: string): KeyParameter[] {
  const references = (uniqueWithin[field] ?? []).map(({ column }) =>
    copies.find(copy => copy.column === column)?.via ?? column.replace(/_id$/, ''))
  return [{ field, column: field }, ...[...new Set(references)].map(reference => ({ field: reference, column: `${reference}_id` }))]
}

/** The values of the parameters of a key. */
export function keyOf (resource: Keyed, field: string, values: Values): unknown[] {
  return keyParameters(resource, field).map(({ field }) => values[field] ?? null)
}

/** SQL of the row with the key of `q`, as one index lookup like `keyedRow`. */
export function rowWithKey (resource: Pick<Resource, 'name' | 'uniqueWithin'>, field: string, row: SelectedRow): string {
  const { name, uniqueWithin } = resource
  const { as, select, where } = row
  const scope = uniqueWithin[field]
  if (scope === undefined) return keyedRow(field, { table: name, as, select, value: `q.${field}`, where })
  // Only the last column of the lookup is compiled to a range: a range of an earlier one would visit all of its entries.
  const isKeyed = [
    ...scope.map(({ column, isNullable }) => `${as}.${column} ${isNullable ? 'is not distinct from' : '='} q.${column}`),
    `${as}.${field} = by_index(q.${field})`,
    ...where === undefined ? [] : [where]
  ]
  return byIndex(`(select ${select} from ${name} ${as} where ${as}.company_id = q.company and ${isKeyed.join(' and ')} limit 1)`)
}

/** The alias of a row, what is selected from it, and a further condition over it. */
interface SelectedRow {
  as: string
  select: string
  where?: string | undefined
}

/** The names of the fields whose values are unique, in the company or within references. */
export function uniqueNames ({ unique, uniqueWithin }: Pick<Resource, 'unique' | 'uniqueWithin'>): string[] {
  return [...unique, ...Object.keys(uniqueWithin)]
}

/**
 * The unique fields of a resource.
 * @param others SQL condition that `o` is another record than `q`
 * @param isChanged whether a write changes a field. By default all are written.
 */
export function uniqueFields (resource: Resource, others?: string, isChanged: (field: string) => boolean = () => true): UniqueField[] {
  const { unique, uniqueWithin } = resource
  const within = Object.entries(uniqueWithin).filter(([field, columns]) =>
    isChanged(field) || columns.some(({ column }) => isChanged(column.replace(/_id$/, ''))))
  return [...unique.filter(isChanged), ...within.map(([field]) => field)].map(field => ({
    field,
    taken: `exists ${rowWithKey(resource, field, { as: 'o', select: 'o.*', where: others })}`,
    key: ['company', ...(uniqueWithin[field] ?? []).map(({ column }) => column), field].map(column => `q.${column}`).join(', ')
  }))
}

/** A record with its place in a request. */
interface Placed {
  index: number
  record: Values
}

/** Whether a record at an earlier place has the value of a unique field. */
export type KeysTaken = (field: string, step: Placed) => boolean

/**
 * Looks up unique values among records. It reads each record once per field, however many lookups follow.
 * @param steps in the order of their places
 */
export function keysTaken (resource: Keyed, steps: readonly Placed[]): KeysTaken {
  const keyIn = (field: string, { record }: Placed) => keyOf(resource, field, record).map(value => JSON.stringify(value)).join()
  const first = new Map<string, Map<string, number>>()
  return (field, step) => {
    let places = first.get(field)
    // Of several records with a value, the first one stays.
    if (places === undefined) first.set(field, places = new Map(steps.toReversed().map(other => [keyIn(field, other), other.index])))
    const place = places.get(keyIn(field, step))
    return place !== undefined && place < step.index
  }
}
