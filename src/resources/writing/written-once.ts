import { requested, requestingUser, ruleSql, type RuleRecords } from '../declaration/constraint.ts'
import type { Resource } from '../declaration/resource.ts'
import { uniqueFields } from './unique.ts'

/** The records of a condition of one statement. */
const records: RuleRecords = { id: 'q.id', caller: requestingUser, after: requested, before: requested }

/**
 * SQL over `q` that keeps the first of several records of one statement that get the same unique value. `first` are conditions over `q`
 * with the columns `nth`. An error of the database would repeat all requests of the turn one by one.
 * @param isChanged whether a change writes a field. By default all are written.
 */
export function writtenOnce (resource: Resource, isChanged: (field: string) => boolean = () => true): { nth: string[], first: string[] } {
  const limited = resource.constraints.filter(({ dependsOn, raised }) => raised !== true && (dependsOn?.some(isChanged) ?? true))
  const fields = [
    ...uniqueFields(resource, undefined, isChanged).map(({ field, key }) => ({ field, keys: [key], isOther: [] })),
    ...limited.flatMap(({ field, onceAmong: among }) => among === undefined
      ? []
      : [onceAmong(field, ruleSql(among, records))])
  ]
  return {
    nth: fields.map(({ field, keys }) => `row_number() over (partition by ${keys.join(', ')} order by q.i) as nth_${field}`),
    first: fields.map(({ field, isOther }) => `(${[`q.${field} is null`, ...isOther, `q.nth_${field} = 1`].join(' or ')})`)
  }
}

function onceAmong (field: string, among: string) {
  return { field, keys: [`q.company, q.${field}`, among], isOther: [`(${among}) is not true`] }
}
