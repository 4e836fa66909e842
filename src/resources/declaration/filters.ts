import { Type, type TSchema } from '@sinclair/typebox'
import { compares, equals, holds, idOfUser, isAtOrBelow, isThe, refersTo, refersToNamed, type Filter, type Names } from './conditions.ts'
import type { FieldSpec, FilterSpec, Words } from './field-spec.ts'

/** Records with exactly this value, or `null` for those without one. The schema of the parameter follows from the field's. */
export function exactFilter (spec: FieldSpec, words: Words): FilterSpec {
  const { type, isNullable, isUnique, isCaller, reference } = spec
  const schema = querySchema(spec, words)
  const pattern: unknown = schema['pattern']
  const orNull = isNullable === true && typeof pattern === 'string' ? { pattern: `^(null|${pattern.slice(1, -1)})$` } : undefined
  const filter = (column: string): Filter => {
    if (reference !== undefined) return refersTo(column, namesOf(spec))
    if (isCaller === true) return refersTo(idOfUser(column))
    if (type === 'int' && orNull !== undefined) return refersTo(column)
    return isUnique === true ? isThe(column, type) : equals(column, type)
  }
  return { schema: { ...schema, ...orNull }, filter }
}

/** Records with this path, or a path below it. */
export function pathFilter (spec: FieldSpec, words: Words): FilterSpec {
  return { schema: querySchema(spec, words), filter: isAtOrBelow }
}

/** Records that refer to a record with exactly this name. */
export function nameFilter (spec: FieldSpec, name: string, words: Words): FilterSpec {
  const names = namesOf(spec)
  if (names === undefined) throw new Error('filterableByName() is for references by name')
  return { name, schema: querySchema(spec, words), filter: column => refersToNamed(column, names) }
}

/**
 * The filters of a field of the referred record.
 * @param alias of the referred record in `filterJoins`
 * @param descriptions by parameter
 */
export function filtersThrough (
  { reference }: FieldSpec, field: string, alias: string, descriptions: Record<string, string>
): FilterSpec[] {
  if (reference === undefined || reference.resource === 'self') throw new Error('filterableThrough() is for references to another resource')
  const { spec } = reference.resource.fields[field] ?? {}
  const column = `${alias}.${spec?.reference === undefined ? field : `${field}_id`}`
  return (spec?.filters ?? []).map(({ name, suffix = '', schema, filter }) => {
    const parameter = name ?? field + suffix
    const description = descriptions[parameter]
    if (description === undefined) throw new Error(`filterableThrough(): ${parameter} has no description`)
    return {
      name: parameter, schema: { ...schema, description }, filter: () => value => ({ ...filter(column)(value), joins: true, narrow: true })
    }
  })
}

/** The names by which a reference finds its records. */
function namesOf ({ reference }: FieldSpec): Names | undefined {
  if (reference?.byName === undefined || reference.resource === 'self') return undefined
  return { table: reference.resource.name, column: reference.byName }
}

/** Records whose value is at least, or at most, the given one. */
export function boundFilter (spec: FieldSpec, name: Pick<FilterSpec, 'name' | 'suffix'>, operator: '>=' | '<=', words: Words): FilterSpec {
  return { ...name, schema: querySchema(spec, words), filter: column => compares(column, operator, spec.type) }
}

/** Records for which SQL over `t` is true, or all others. */
export function conditionFilter (name: string, sql: string, description: string): FilterSpec {
  return { name, schema: Type.Boolean({ description, examples: [true] }), filter: () => holds(sql) }
}

/** @throws {Error} if this kind of field has no query schema */
function querySchema ({ query }: FieldSpec, { description, examples = [] }: Words): TSchema {
  if (query === undefined) throw new Error(`a filter requires a query schema: ${description}`)
  return { ...query, description, ...examples.length === 0 ? {} : { examples } }
}
