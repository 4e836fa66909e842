import { numberTrigger } from '../../database/schema/child-triggers.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { FieldSpec } from './field-spec.ts'

/** The fields of a declaration, by name. */
export type Specs = ReadonlyArray<readonly [field: string, spec: FieldSpec]>

/** The number of a record in its parent, with the columns within which it counts. */
export interface Numbered extends Pick<FieldSpec, 'keptBy' | 'setAt'> {
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

/** The triggers that number new records. */
export function triggersOfNumbers (table: string, numbers: readonly Numbered[]): Triggers {
  const ofNew = numbers.filter(({ keptBy, setAt }) => keptBy === undefined && setAt === undefined)
  return Object.assign({}, ...ofNew.map(({ field, column, by }) => numberTrigger(table, field, [column, ...by])))
}
