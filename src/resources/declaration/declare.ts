import type { TProperties } from '@sinclair/typebox'
import { updatedSince } from './conditions.ts'
import type { Declaration } from './declaration.ts'
import type { Fields } from './field.ts'
import type { FieldSpec, OrderingColumn, ReferenceSpec } from './field-spec.ts'
import { recordedOf } from './history.ts'
import type { BaseResource, ResourceAccess } from './base-resource.ts'
import type { Values } from './input.ts'
import type { Reference } from './link.ts'
import { routeSchemas, type Spec } from './route-schemas.ts'
import { storedOf } from './stored.ts'
import { totalsOf } from './totals.ts'

const column = (name: string, { reference }: FieldSpec) => reference === undefined ? name : `${name}_id`

/** What the kind of a resource adds to the fields that it declares. */
interface Kind {
  access: ResourceAccess
  /** Schemas of the fields before the resource's own, which `headSql` selects. */
  head: TProperties
  headSql: string
  /** Fields after the resource's own. */
  tail?: Fields
  /** Whether an index has the records in the order of `updated_at`. */
  isLarge?: boolean
}

/** What follows from the fields of a resource, besides its table. */
interface Declared<F extends Fields> extends Omit<BaseResource<F>, 'entity' | 'meanings'> {
  /** Default values of a new record. */
  defaults: Values
}

/** Derives SQL, schemas, orderings and filters from the fields of a resource. */
export function declare<F extends Fields> (
  declaration: Declaration<F>, { access, head, headSql, tail = {}, isLarge = false }: Kind
): Declared<F> {
  const { name, title, one, many, fields, routes = {}, examples = {}, alsoShown = [], maxItems, once, search, prepare } = declaration
  const { joins = '', filterJoins = '', detailJoins = '' } = declaration
  const totals = declaration.totals && totalsOf<F>(fields, declaration.totals)
  const specs = Object.entries<Fields[string]>({ ...fields, ...tail }).map(([field, { spec }]): Spec => [field, spec])
  const shown = specs.filter(([, { shown }]) => shown !== undefined)
  const items = shown.filter(([, { isDetail }]) => isDetail !== true)
  const details = shown.filter(([, { isDetail }]) => isDetail === true)
  const written = specs.filter(([, { input, taken, isInternal }]) => isInternal === true || (input !== undefined && taken !== 'on update'))
  const sql = (some: Spec[]) => some.map(([field, spec]) => selected(field, spec)).join(', ')
  const ordering = orderingOf(specs, isLarge)
  const filters = specs.flatMap(([field, spec]) => (spec.filters ?? []).map(({ name, suffix = '', schema, filter }) =>
    ({ name: name ?? field + suffix, schema, filter: filter(`t.${column(field, spec)}`) })))

  return {
    name,
    title,
    one,
    many,
    fields,
    access,
    routes,
    once,
    prepare,
    isNested: alsoShown.length > 0,
    writable: written.filter(([, { isInternal }]) => isInternal !== true).map(([field]) => field),
    written: written.map(([field]) => field),
    hasSecrets: specs.some(([, { shown, isInternal }]) => shown === undefined && isInternal !== true),
    item: `${headSql}, ${sql(items)}, t.created_at, t.updated_at, t.version`,
    joins,
    filterJoins,
    detail: sql(details),
    detailJoins,
    ordering,
    filters: { ...Object.fromEntries(filters.map(({ name, filter }) => [name, filter])), updated_since: updatedSince },
    totals,
    search: [...search.columns.length === 0 ? [] : ['t.busqueda'], ...search.others ?? []],
    searchReference: search.reference,
    columns: Object.fromEntries(written.filter(([, { reference }]) => reference === undefined).map(([field, { type }]) => [field, type])),
    printed: Object.fromEntries(written.flatMap(([field, { printed }]) => printed === undefined ? [] : [[field, printed(`t.${field}`)]])),
    echoed: Object.fromEntries(written.flatMap(([field, { echo }]) => echo === undefined ? [] : [[field, echo]])),
    references: Object.fromEntries(
      written.flatMap(([field, { reference }]) => reference === undefined ? [] : [[field, referenceOf(name, field, reference)]])
    ),
    defaults: Object.fromEntries(
      written.filter(([, { fallback }]) => fallback !== undefined).map(([field, { fallback }]) => [field, fallback])
    ),
    stored: storedOf(title, head, headSql, shown),
    recorded: recordedOf(specs),
    unique: specs.filter(([, { isUnique }]) => isUnique === true).map(([field]) => field),
    schemas: routeSchemas({
      title,
      head,
      specs,
      items,
      details,
      alsoShown,
      once,
      examples,
      maxItems,
      orderings: Object.keys(ordering),
      filters: Object.fromEntries(filters.map(({ name, schema }) => [name, schema])),
      totals: totals?.schema,
      isSearched: search.columns.length > 0 || search.others !== undefined
    })
  }
}

function referenceOf (name: string, field: string, { resource, byName }: ReferenceSpec): Reference {
  return { resource: resource === 'self' ? name : resource.name, column: `${field}_id`, ...byName === undefined ? {} : { byName } }
}

/** The field in a select list, with an alias unless it is a column of the same name. `user` is a keyword of SQL. */
function selected (field: string, spec: FieldSpec): string {
  const own = `t.${column(field, spec)}`
  const sql = spec.sql ?? spec.printed?.(own) ?? own
  if (new RegExp(`^\\w+\\.${field}$`).test(sql)) return sql
  return `${sql} as ${field === 'user' ? '"user"' : field}`
}

function orderingOf (specs: Spec[], isLarge: boolean): Record<string, OrderingColumn> {
  const own = specs.flatMap(([field, spec]): Array<[string, OrderingColumn]> => {
    if (spec.ordering === undefined) return []
    const nullable = spec.isNullable === true ? { nullable: true } : {}
    return [[field, { sql: `t.${column(field, spec)}`, type: spec.type, ...nullable, ...boundsOf(spec), ...spec.ordering }]]
  })
  return {
    ...Object.fromEntries(own),
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz', ...isLarge ? { indexed: true } : {} }
  }
}

/** What a field's values can be, beyond their type. */
function boundsOf ({ shown, whole }: FieldSpec): Pick<OrderingColumn, 'pattern' | 'minimum'> {
  const pattern: unknown = shown?.['pattern']
  const minimum: unknown = shown?.['minimum']
  return {
    ...typeof pattern !== 'string' || whole === undefined ? {} : { pattern: new RegExp(pattern.replace('\\d+', `\\d{1,${whole}}`)) },
    ...typeof minimum !== 'number' ? {} : { minimum }
  }
}
