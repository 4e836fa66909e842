import type { WritableState } from '../../database/schema/child-triggers.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'

/** The state of a parent that allows writes of its records, and what a write means in another one. */
export interface ParentState extends WritableState {
  /** The reference to the parent. */
  reference: string
  /** The key of the 409. */
  otherwise: ProblemKey
  /** The key of the 400 of a new record under the reference, instead of the 409. */
  ofNew: ProblemKey | undefined
}

/**
 * SQL: the state of the parent forbids writes of the record.
 * @param row alias of the record, with its columns
 * @param company SQL of its company
 */
export function isClosed ({ parent, table, state, allowed, where }: WritableState, row: string, company: string): string {
  const isOther = `(${state})::text <> all (array[${allowed.map(word => `'${word}'`).join(', ')}])`
  const applies = where === undefined ? '' : `${where.replaceAll(/\bw\./g, `${row}.`)} and `
  return `(${applies}exists ${keyedRow('id', { table, as: 'p', company, value: `${row}.${parent}`, where: isOther })})`
}
