import { keptUserOf, nextNumber, setTriggers, type SetColumn } from '../../database/schema/child-triggers.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { FieldSpec } from './field-spec.ts'
import type { Numbered, Specs } from './numbers.ts'

/** The triggers that set columns when a record is created or gets a state: users, times, and numbers with a state. */
export function setColumnTriggers (table: string, specs: Specs, numbers: readonly Numbered[]): Triggers {
  return setTriggers(table, specs.flatMap(([field, spec]) => setColumnOf(table, field, spec, numbers)))
}

function setColumnOf (
  table: string, column: string, { isCaller, setAt: state, type }: FieldSpec, numbers: readonly Numbered[]
): SetColumn[] {
  if (isCaller === true) return [{ column, state, value: keptUserOf(table) }]
  if (state === undefined) return []
  const number = numbers.find(({ field }) => field === column)
  if (number !== undefined) {
    return [{ column, state, value: nextNumber(table, column, [number.column, ...number.by], ` and t.${column} is not null`) }]
  }
  if (type !== 'timestamptz') throw new Error(`${table}: setAt() is for a number, a caller or a time, which ${column} is not`)
  return [{ column, state, value: 'clock_timestamp()' }]
}
