import { keyedRow } from '../../database/turns/keyed-row.ts'
import { httpError, refuse, type Problem } from '../../http/errors.ts'
import type { Resource } from '../declaration/resource.ts'

/**
 * SQL: the state of the record's parent forbids the write.
 * @param row alias of the record, with its columns
 * @param company SQL of its company
 */
export function isClosed ({ writableState }: Resource, row = 'q', company = 'q.company'): string {
  if (writableState === undefined) return 'false'
  const { parent, table, state, allowed } = writableState
  const where = `p.${state} <> all (array[${allowed.map(word => `'${word}'`).join(', ')}])`
  return `exists ${keyedRow('id', { table, as: 'p', company, value: `${row}.${parent}`, where })}`
}

/** SQL over `q`: the state of the parent forbids the change of the record `q.id`, which changes more than the fields that stay writable. @param self SQL of its id */
export function isClosedChange (resource: Resource, self = 'q.id'): string {
  if (resource.writableState === undefined) return 'false'
  const { free } = resource.writableState
  const columns = [...Object.keys(resource.columns), ...Object.values(resource.references).map(({ column }) => column)].filter(column => !free.includes(column))
  const values = (alias: string) => columns.map(column => `${alias}.${column}`).join(', ')
  const differs = keyedRow('id', { table: resource.name, as: 'o', value: self, where: `(${values('o')}) is distinct from (${values('q')})` })
  return `(exists ${differs} and ${isClosed(resource)})`
}

/** The problem of a write that the state of the parent forbids. It belongs to no field. */
export function closedProblem ({ writableState }: Resource): Problem[] {
  return writableState === undefined ? [] : [{ field: '', key: writableState.otherwise }]
}

/** Whether a problem is a conflict with the state of the parent. */
export function isConflict ({ field }: Problem): boolean {
  return field === ''
}

/** @throws {HttpError} 409 if the state of the parent forbids the write; {@link ValidationError} with all problems otherwise */
export function refuseFound (own: Problem[], found: Problem[]): void {
  const conflict = found.find(isConflict)
  if (conflict !== undefined) throw httpError(409, { key: conflict.key })
  refuse([...own, ...found])
}
