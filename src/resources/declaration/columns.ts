import { p } from '@mikro-orm/core'
import { rowsOf } from '../../database/schema/child-triggers.ts'
import type { Fields } from './field.ts'
import type { FieldSpec, ReferenceSpec } from './field-spec.ts'
import type { Column, Columns, Entity } from './table.ts'

/** The MikroORM properties of a declaration's columns. @param self returns the entity, which is created after them */
export function columnsOf ({ fields, search }: { fields: Fields, search: { columns: readonly string[] } }, self: () => Entity): Columns {
  const stored = Object.entries(fields)
    .filter(([, { spec: { property, reference, taken } }]) => (property ?? reference) !== undefined && taken !== 'on update')
  const sums = stored.filter(([, { spec }]) => spec.sums !== undefined)
  const texts = search.columns.map((name): [string, FieldSpec] => [name, fields[name].spec])
  return {
    ...Object.fromEntries(stored.map(([field, { spec }]) => [field, columnOf(field, spec, self)])),
    ...Object.fromEntries(sums.map(([field]) => [rowsOf(field), p.integer().default(0).hidden().lazy()])),
    ...texts.length === 0 ? {} : { busqueda: generated(searchText(texts)) }
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

function columnOf (field: string, spec: FieldSpec, self: () => Entity): Column | (() => Column) {
  const { property, reference } = spec
  if (reference !== undefined) {
    const { resource } = reference
    return resource === 'self' ? () => referenceColumn(spec, reference, self()) : referenceColumn(spec, reference, resource.entity)
  }
  if (property === undefined) throw new Error(`${field} has no column`)
  return valueColumn(field, property(), spec)
}

function valueColumn (field: string, column: Column, { check, collation, fallback, isNullable }: FieldSpec): Column {
  if (isNullable === true) column = column.strictNullable()
  if (fallback !== undefined) column = column.default(fallback)
  if (check !== undefined) column = column.check(check(field))
  if (collation !== undefined) column = column.collation(collation)
  return column
}

/** A reference within a company has a foreign key that contains the company, which `TenantSchemaGenerator` declares. */
function referenceColumn ({ type, isNullable, isIndexed }: FieldSpec, { onDelete, within }: ReferenceSpec, entity: Entity): Column {
  const plain = p.manyToOne(entity).mapToPk()
  if (within !== undefined) Object.assign(plain['~options'], { sharedColumns: [`${within.reference}_id`] })
  const indexed = isIndexed === true ? plain.index() : plain
  const ruled = onDelete === 'cascade' ? indexed.deleteRule('cascade') : indexed
  const column = type === 'int' ? ruled : ruled.createForeignKeyConstraint(false)
  return isNullable === true ? column.strictNullable() : column
}
