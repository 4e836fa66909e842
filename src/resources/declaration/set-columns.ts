import { keptUserOf, nextNumber, setTriggers, type SetColumn } from '../../database/schema/child-triggers.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { FieldSpec } from './field-spec.ts'
import type { Numbered, Specs } from './numbers.ts'
import type { States } from './states.ts'

/**
 * The triggers that set columns when a record is created or gets a state: users, times, and numbers with a state.
 * @throws {Error} for a state that no record gets, or that a record can get twice, and for fields of other types
 */
export function setColumnTriggers (table: string, specs: Specs, numbers: readonly Numbered[], states: States | undefined): Triggers {
  for (const [field, { setAt: state }] of specs) {
    if (state !== undefined && !isEnteredOnce(state, states)) {
      throw new Error(`${table}: ${field} has setAt('${state}'), which must be a state that a record gets once`)
    }
  }
  return setTriggers(table, specs.flatMap(([field, spec]) => setColumnOf(table, field, spec, numbers)))
}

/** Whether a record can get a state, and cannot get it again after it has left it. */
function isEnteredOnce (state: string, { to, other, initial }: States = { to: {} }): boolean {
  const after = (from: string) => [...to[from] ?? [], ...other?.to[from] ?? []]
  const all = new Set([...Object.keys(to), ...Object.keys(other?.to ?? {})].flatMap(after))
  const later = new Set(after(state))
  for (const next of later) for (const further of after(next)) later.add(further)
  return (state === initial || all.has(state)) && !later.has(state)
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
