import { requested, requestingUser, ruleSql, type RuleRecords } from '../declaration/constraint.ts'
import type { Resource } from '../declaration/resource.ts'
import { uniqueFields } from './unique.ts'

/** A field whose values one statement writes to only one record each. */
interface OnceField {
  field: string
  /** SQL over `q` of the columns that are unique together. */
  key: string
  /** SQL over `q`: only records that meet it count. By default, all do. */
  among?: string
}

/** The records of a condition of one statement. */
const records: RuleRecords = { id: 'q.id', caller: requestingUser, after: requested, before: requested }

/**
 * SQL over `q` that keeps the first of several records of one statement that get the same unique value. `first` are conditions over `q`
 * with the columns `nth`. An error of the database would repeat all requests of the turn one by one.
 * @param isChanged whether a change writes a field. By default all are written.
 */
export function writtenOnce (resource: Resource, isChanged: (field: string) => boolean = () => true): { nth: string[], first: string[] } {
  const limited = resource.constraints.filter(({ dependsOn, raised }) => raised !== true && (dependsOn?.some(isChanged) ?? true))
  const fields: OnceField[] = [
    ...uniqueFields(resource, undefined, isChanged),
    ...limited.flatMap(({ field, onceAmong }) =>
      onceAmong === undefined ? [] : [{ field, key: `q.company, q.${field}`, among: ruleSql(onceAmong, records) }])
  ]
  return {
    nth: fields.map(({ field, key, among }) =>
      `row_number() over (partition by ${key}${among === undefined ? '' : `, ${among}`} order by q.i) as nth_${field}`),
    first: fields.map(({ field, among }) =>
      `(q.${field} is null or ${among === undefined ? '' : `(${among}) is not true or `}q.nth_${field} = 1)`)
  }
}
