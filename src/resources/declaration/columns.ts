import { p, type EntitySchema } from '@mikro-orm/core'
import { rowsOf } from '../../database/schema/child-triggers.ts'
import type { Common, Fields } from './declare.ts'
import type { Field, FieldSpec } from './field.ts'

/** The MikroORM properties of a declaration's columns. @param self returns the entity, which is created after them */
export function columnsOf ({ fields, search }: Pick<Common<Fields>, 'fields' | 'search'>, self: () => EntitySchema): Record<string, any> {
  const stored = Object.entries(fields).filter(([, { spec: { property, reference, taken } }]) => (property ?? reference) !== undefined && taken !== 'on update')
  return {
    ...Object.fromEntries(stored.map(([field, { spec }]) => [field, spec.reference === undefined ? valueColumn(field, spec) : referenceColumn(spec, self)])),
    ...Object.fromEntries(stored.filter(([, { spec }]) => spec.sums !== undefined).map(([field]) => [rowsOf(field), p.integer().default(0).hidden().lazy()])),
    ...search.columns.length === 0 ? {} : { busqueda: generated(searchText(search.columns.map(name => [name, (fields[name] as Field).spec]))) }
  }
}

/** A text column that the database computes. It is not part of answers. */
export function generated (expression: string) {
  return p.text().generated(`(${expression}) stored`).hidden().lazy()
}

/** SQL of the text that `search` compares, without case and accents. */
function searchText (columns: Array<[string, FieldSpec]>): string {
  return `search_text(${columns.map(([name, { isNullable }]) => isNullable === true ? `coalesce(${name}, '')` : name).join(" || ' ' || ")})`
}

function valueColumn (field: string, { property, check, collation, fallback, isNullable }: FieldSpec): any {
  let column = property?.()
  if (isNullable === true) column = column.strictNullable()
  if (fallback !== undefined) column = column.default(fallback)
  if (check !== undefined) column = column.check(check(field))
  if (collation !== undefined) column = column.collation(collation)
  return column
}

/** A reference within a company has a foreign key that contains the company, which `TenantSchemaGenerator` declares. */
function referenceColumn ({ type, reference, isNullable, isIndexed }: FieldSpec, self: () => EntitySchema) {
  const column = (entity: any) => {
    let made: any = p.manyToOne(entity).mapToPk()
    if (isNullable === true) made = made.strictNullable()
    if (isIndexed === true) made = made.index()
    if (reference?.onDelete === 'cascade') made = made.deleteRule('cascade')
    return type === 'int' ? made : made.createForeignKeyConstraint(false)
  }
  return reference?.resource === 'self' ? () => column(self()) : column(reference?.resource.entity)
}
