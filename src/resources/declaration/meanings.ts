import type { TableDeclaration } from './declaration.ts'
import type { Constraint, ConstraintMeaning, KeptRecords } from './constraint.ts'

/** The parts of a declaration with constraints of the database. */
interface ConstraintDeclarations {
  table?: TableDeclaration
  constraints?: readonly Constraint[]
  kept?: KeptRecords
}

/**
 * What the named constraints of a declaration mean: checks and exclusions with a field and a key, unique keys of several columns (the last
 * one is the field), constraints that the service checks itself before a write, and constraints that triggers raise.
 */
export function meaningsOf ({ table = {}, constraints = [], kept }: ConstraintDeclarations): Record<string, ConstraintMeaning> {
  const { checks = [], uniques = [], raises = {} } = table
  return {
    ...byName(uniques, ({ properties = [] }) => properties.slice(-1).map(field => ({ field, key: 'unique' }))),
    ...byName(checks, ({ field, key = 'invalidValue' }) => field === undefined ? [] : [{ field, key }]),
    ...byName(constraints, ({ field, key, values }) => [{ field, key, ...values === undefined ? {} : { values } }]),
    ...kept?.name === undefined ? {} : { [kept.name]: { conflict: kept.key } },
    ...raises
  }
}

/** The meanings of the named constraints of a list. @param meaning of one of them, or an empty list */
function byName<C extends { name?: string }> (
  constraints: readonly C[], meaning: (constraint: C) => ConstraintMeaning[]
): Record<string, ConstraintMeaning> {
  return Object.fromEntries(constraints.flatMap((constraint) => {
    const { name } = constraint
    return name === undefined ? [] : meaning(constraint).map(one => [name, one])
  }))
}
