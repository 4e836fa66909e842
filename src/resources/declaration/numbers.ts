import { callerOf, nextNumber, numberTrigger, setTriggers, type SetColumn } from '../../database/schema/child-triggers.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { FieldSpec } from './field-spec.ts'

/** The fields of a declaration, by name. */
type Specs = ReadonlyArray<readonly [field: string, spec: FieldSpec]>

/** The number of a record in its parent, with the columns within which it counts. */
interface Numbered extends Pick<FieldSpec, 'keptBy' | 'setAt'> {
  field: string
  apart: string | undefined
  /** The reference to the parent, and its column. */
  reference: string
  column: string
  /** The other fields that keep numbers apart. */
  by: readonly string[]
}

/** The fields with numbers. @param parent the column of a reference */
export function numbersOf (specs: Specs, parent: (reference: string) => { column: string }): Numbered[] {
  return specs.flatMap(([field, { numberedWithin: reference, numberedApart: apart, numberedBy: by = [], keptBy, setAt }]) => {
    if (reference === undefined) return []
    const unfit = by.find(other => !specs.some(([name, spec]) => name === other && canSeparate(spec)))
    if (unfit !== undefined) throw new Error(`${field}: apartBy() is for own fields that are not nullable, which ${unfit} is not`)
    return [{ field, keptBy, setAt, apart, reference, column: parent(reference).column, by }]
  })
}

/** Whether `=` compares the column of a field, which has its name. */
function canSeparate ({ reference, isNullable }: FieldSpec): boolean {
  return reference === undefined && isNullable !== true
}

/** The triggers that number new records, and that set columns when a record is created or gets a state. */
export function numberTriggers (table: string, specs: Specs, numbers: readonly Numbered[]): Triggers {
  const ofNew = numbers.filter(({ keptBy, setAt }) => keptBy === undefined && setAt === undefined)
  return {
    ...Object.assign({}, ...ofNew.map(({ field, column, by }) => numberTrigger(table, field, [column, ...by]))),
    ...setTriggers(table, specs.flatMap(([field, spec]) => setColumnOf(table, field, spec, numbers)))
  }
}

function setColumnOf (
  table: string, column: string, { isCaller, setAt: state, type }: FieldSpec, numbers: readonly Numbered[]
): SetColumn[] {
  if (isCaller === true) return [{ column, state, value: callerOf(table) }]
  if (state === undefined) return []
  const number = numbers.find(({ field }) => field === column)
  if (number !== undefined) {
    return [{ column, state, value: nextNumber(table, column, [number.column, ...number.by], ` and t.${column} is not null`) }]
  }
  if (type !== 'timestamptz') throw new Error(`${table}: setAt() is for a number, a caller or a time, which ${column} is not`)
  return [{ column, state, value: 'clock_timestamp()' }]
}
