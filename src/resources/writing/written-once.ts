import { requested, ruleSql } from '../declaration/constraint.ts'
import type { Resource } from '../declaration/resource.ts'
import { uniqueFields } from './unique.ts'

/**
 * SQL over `q` that keeps the first of several records of one statement that get the same unique value. `first` are conditions over `q`
 * with the columns `nth`. An error of the database would repeat all requests of the turn one by one.
 * @param isChanged whether a change writes a field. By default all are written.
 */
export function writtenOnce (resource: Resource, isChanged: (field: string) => boolean = () => true): { nth: string[], first: string[] } {
  const limited = resource.constraints.filter(({ dependsOn, raised }) => raised !== true && (dependsOn?.some(isChanged) ?? true))
  const fields = [
    ...uniqueFields(resource, 'true', isChanged).map(({ field, key }) => ({ field, key, among: 'true' })),
    ...limited.flatMap(({ field, onceAmong: among }) => among === undefined
      ? []
      : [{ field, key: `q.company, q.${field}`, among: ruleSql(among, { id: 'q.id', after: requested, before: requested }) }])
  ]
  return {
    nth: fields.map(({ field, key, among }) => `row_number() over (partition by ${key}, ${among} order by q.i) as nth_${field}`),
    first: fields.map(({ field, among }) => `(q.${field} is null or (${among}) is not true or q.nth_${field} = 1)`)
  }
}
