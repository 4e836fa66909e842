import { keyedRow } from '../../database/turns/keyed-row.ts'
import { httpError, refuse, type Problem } from '../../http/errors.ts'
import { isProblemKey } from '../../http/problem-codes.ts'
import { isClosed, type ParentState } from '../declaration/parent-state.ts'
import type { Resource } from '../declaration/resource.ts'

/**
 * SQL: the key of the message if the state of a parent forbids the write, otherwise null. Undefined if no state forbids one.
 * @param row alias of the record, with its columns
 * @param company SQL of its company
 */
export function closedBy ({ writableStates }: Resource, row: string, company: string): string | undefined {
  return firstKey(writableStates, state => isClosed(state, row, company))
}

/** The same over `q`, if the state of a parent forbids a new record and no constraint does. */
export function newClosedBy ({ writableStates }: Resource): string | undefined {
  return firstKey(writableStates.filter(({ ofNew }) => ofNew === undefined), state => isClosed(state, 'q', 'q.company'))
}

/**
 * The same over `q`, if the state of a parent forbids the change of the record, which changes more than the fields that stay writable.
 * @param self SQL of its id
 */
export function changeClosedBy ({ name, columns, references, writableStates }: Resource, self = 'q.id'): string | undefined {
  const all = [...Object.keys(columns), ...Object.values(references).map(({ column }) => column)]
  return firstKey(writableStates, (state) => {
    const values = (alias: string) => all.filter(column => !state.free.includes(column)).map(column => `${alias}.${column}`).join(', ')
    const differs = keyedRow('id', { table: name, as: 'o', value: self, where: `(${values('o')}) is distinct from (${values('q')})` })
    return `exists ${differs} and ${isClosed(state, 'q', 'q.company')}`
  })
}

function firstKey (states: readonly ParentState[], condition: (state: ParentState) => string): string | undefined {
  return states.length === 0 ? undefined : `case ${states.map(state => `when ${condition(state)} then '${state.otherwise}'`).join(' ')} end`
}

/** Conditions that no state of a parent forbids the write. @param key SQL of {@link closedBy} */
export function unlessClosed (key: string | undefined): string[] {
  return key === undefined ? [] : [`${key} is null`]
}

/** The problem of a write that the state of the parent forbids. It belongs to no field. @param key a value of {@link closedBy} */
export function closedProblem (key: unknown): Problem[] {
  return typeof key === 'string' && isProblemKey(key) ? [{ field: '', key }] : []
}

/** Whether a problem is a conflict with the state of the parent. */
export function isConflict ({ field }: Problem): boolean {
  return field === ''
}

/** @throws {HttpError} 409 if the state of the parent forbids the write; {@link ValidationError} with all problems otherwise */
export function refuseFound (own: Problem[], found: Problem[]): void {
  const conflict = found.find(isConflict)
  if (conflict !== undefined) throw httpError(409, { key: conflict.key })
  refuse(together(own, found))
}

/** The problems of a record, by itself and beside other data, without repetitions. A changed fixed field has no other problem. */
export function together (own: Problem[], found: Problem[]): Problem[] {
  const isKnown = ({ field, key }: Problem) => own.some(other => other.field === field && (other.key === key || other.key === 'immutable'))
  return [...own, ...found.filter(problem => !isKnown(problem))]
}
