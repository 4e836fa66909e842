import type { TableDeclaration } from './declare.ts'
import type { ConstraintMeaning, Resource } from './resource.ts'

type Declared = Pick<TableDeclaration, 'table'> & Partial<Pick<Resource, 'constraints' | 'kept'>>

/**
 * What the named constraints of a declaration mean: checks and exclusions with a field and a key, unique keys of several columns (the last one
 * is the field), constraints that the service checks itself before a write, and constraints that triggers raise.
 */
export function meaningsOf ({ table = {}, constraints = [], kept }: Declared): Record<string, ConstraintMeaning> {
  const { checks = [], uniques = [], raises = {} } = table
  return {
    ...Object.fromEntries(uniques.map(({ name, properties = [] }) => [name, { field: properties.at(-1) as string, key: 'unique' }])),
    ...Object.fromEntries(checks.flatMap(({ name, field, key = 'invalidValue' }) => field === undefined ? [] : [[name, { field, key }]])),
    ...Object.fromEntries(constraints.flatMap(({ name, field, key, values }) => name === undefined ? [] : [[name, { field, key, ...values === undefined ? {} : { values } }]])),
    ...kept?.name === undefined ? {} : { [kept.name]: { conflict: kept.key } },
    ...raises
  }
}
