import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Access } from '../../auth/access.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { updatedSince } from './conditions.ts'
import type { Field, FieldSpec } from './field.ts'
import type { ConstraintMeaning, OrderingColumn, Readable, Reference, Values } from './resource.ts'
import { routeSchemas, type Schemas, type ShownOnce, type Spec } from './route-schemas.ts'
import { storedOf, type Stored } from './stored.ts'

/** Fields of a resource by name, in the order of answers. */
export type Fields = Record<string, Field<any>>

/** The values of a record's fields. */
export type ValuesOf<F extends Fields> = { [K in keyof F]: F[K]['valueType'] }

/** Names of a record in the OpenAPI document: `a contract`, `contracts`. */
export interface Wording {
  one: string
  many: string
}

/** Texts of the OpenAPI document for a resource's write routes. They replace or complete the common texts. */
export interface RouteWords {
  update?: { description?: string, response?: Record<number, TSchema> }
  remove?: { summary?: string, description?: string }
}

/** Access that the routes of a resource require. */
export interface ResourceAccess {
  read: Access
  write: Access
  remove: Access
}

/** Properties of every declaration. */
export interface Common<F extends Fields> extends Wording {
  /** Texts of the OpenAPI document that only this resource has. */
  routes?: RouteWords
  /** Path segment, table, counter column and name in the table `changes`. */
  name: string
  /** Name of the entity and title of the schemas. */
  title: string
  fields: F
  /** Example bodies. */
  examples?: { create?: object, update?: object, patch?: object }
  /** Fields of other answers that bodies can send back. */
  alsoShown?: readonly string[]
  /** Maximum items of a bulk. Default: 1,000. */
  maxItems?: number
  /** A field that only the answer to POST has. */
  once?: ShownOnce
  /** Joins for the SQL of the fields. */
  joins?: string
  /** Joins for the SQL of orderings and filters. */
  filterJoins?: string
  /** Joins for the SQL of {@link Field.detail} fields. */
  detailJoins?: string
  /**
   * `columns` are the texts that `search` covers. `others` is SQL over the joins for searched columns of other resources. `reference` is the
   * field that refers to them.
   */
  search: { columns: ReadonlyArray<keyof F & string>, others?: readonly string[], reference?: keyof F & string }
}

/** An index over columns, by their MikroORM properties, or over an expression. */
export interface Index {
  name: string
  properties?: readonly string[]
  where?: string
  include?: readonly string[]
  expression?: string
}

/** A check or exclusion, and what its violation means. By default it follows from the name `<table>_<field>_check`. */
export interface Check {
  name: string
  expression: string
  field?: string
  key?: ProblemKey
}

/** Parts of a table besides the columns of the fields. */
export interface TableDeclaration {
  /** Additional columns, by MikroORM property. */
  columns?: Record<string, any>
  /** `raises`: what the constraints mean that triggers name in their errors. */
  table?: { checks?: Check[], uniques?: Index[], indexes?: Index[], triggers?: Triggers, raises?: Record<string, ConstraintMeaning> }
}

/** Everything that follows from the fields of a resource. */
export interface Declared extends Readable, Wording {
  title: string
  access: ResourceAccess
  routes: RouteWords
  once: ShownOnce | undefined
  /** Whether bodies can send back the record with nested records. */
  isNested: boolean
  /** Fields that bodies can change. `written` has those too that only `prepare` sets. */
  writable: string[]
  written: string[]
  /** Whether bodies have fields that are not part of answers, such as passwords. */
  hasSecrets: boolean
  /** The reference to records whose texts are in the search index too. */
  searchReference: string | undefined
  schemas: Schemas
  /** The record in the change feed. */
  stored: Stored
  columns: Record<string, string>
  /** SQL over `t` of the columns whose values {@link FieldSpec.printed} changes. */
  printed: Record<string, string>
  references: Record<string, Reference>
  defaults: Values
  unique: string[]
}

const column = (name: string, { reference }: FieldSpec) => reference === undefined ? name : `${name}_id`

/**
 * Derives SQL, schemas, orderings and filters from the fields of a resource.
 * @param head schemas of the fields before the resource's own, which `headSql` selects
 * @param tail fields after the resource's own
 */
export function declare<const F extends Fields> (declaration: Common<F>, access: ResourceAccess, head: TProperties, headSql: string, tail: Fields = {}): Declared {
  const { name, title, one, many, fields, routes = {}, examples = {}, alsoShown = [], maxItems, once, joins = '', filterJoins = '', detailJoins = '', search } = declaration
  const specs = Object.entries({ ...fields, ...tail }).map(([field, { spec }]): Spec => [field, spec])
  const shown = specs.filter(([, { shown }]) => shown !== undefined)
  const items = shown.filter(([, { isDetail }]) => isDetail !== true)
  const details = shown.filter(([, { isDetail }]) => isDetail === true)
  const written = specs.filter(([, { input, taken, isInternal }]) => isInternal === true || (input !== undefined && taken !== 'on update'))
  const sql = (some: Spec[]) => some.map(([field, spec]) => selected(field, spec)).join(', ')
  const ordering = orderingOf(specs)
  const filters = specs.flatMap(([field, spec]) => (spec.filters ?? []).map(({ name, suffix = '', schema, filter }) => [name ?? field + suffix, schema, filter(`t.${column(field, spec)}`)] as const))

  return {
    name,
    title,
    one,
    many,
    access,
    routes,
    once,
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
    filters: { ...Object.fromEntries(filters.map(([name, , filter]) => [name, filter])), updated_since: updatedSince },
    search: [...search.columns.length === 0 ? [] : ['t.busqueda'], ...search.others ?? []],
    searchReference: search.reference,
    columns: Object.fromEntries(written.filter(([, { reference }]) => reference === undefined).map(([field, { type }]) => [field, type])),
    printed: Object.fromEntries(written.flatMap(([field, { printed }]) => printed === undefined ? [] : [[field, printed(`t.${field}`)]])),
    references: Object.fromEntries(written.flatMap(([field, { reference }]) => reference === undefined ? [] : [[field, { resource: reference.resource === 'self' ? name : reference.resource.name, column: `${field}_id`, ...reference.byName === undefined ? {} : { byName: reference.byName } }]])),
    defaults: Object.fromEntries(written.filter(([, { fallback }]) => fallback !== undefined).map(([field, { fallback }]) => [field, fallback])),
    stored: storedOf(title, head, headSql, shown),
    unique: specs.filter(([, { isUnique }]) => isUnique === true).map(([field]) => field),
    schemas: routeSchemas({ title, head, specs, items, details, alsoShown, once, examples, maxItems, orderings: Object.keys(ordering), filters: Object.fromEntries(filters.map(([name, schema]) => [name, schema])) })
  }
}

/** The field in a select list, with an alias unless it is a column of the same name. `user` is a keyword of SQL. */
function selected (field: string, spec: FieldSpec): string {
  const own = `t.${column(field, spec)}`
  const sql = spec.sql ?? spec.printed?.(own) ?? own
  if (new RegExp(`^\\w+\\.${field}$`).test(sql)) return sql
  return `${sql} as ${field === 'user' ? '"user"' : field}`
}

function orderingOf (specs: Spec[]): Record<string, OrderingColumn> {
  const own = specs.flatMap(([field, spec]) => spec.ordering === undefined
    ? []
    : [[field, { sql: `t.${column(field, spec)}`, type: spec.type, ...spec.isNullable === true ? { nullable: true } : {}, ...boundsOf(spec), ...spec.ordering } as OrderingColumn]])
  return { ...Object.fromEntries(own), created_at: { sql: 't.created_at', type: 'timestamptz' }, updated_at: { sql: 't.updated_at', type: 'timestamptz' } }
}

/** What a field's values can be, beyond their type. */
function boundsOf ({ shown, whole }: FieldSpec): Pick<OrderingColumn, 'pattern' | 'minimum'> {
  const { pattern, minimum } = Object(shown) as { pattern?: string, minimum?: number }
  return {
    ...pattern === undefined || whole === undefined ? {} : { pattern: new RegExp(pattern.replace('\\d+', `\\d{1,${whole}}`)) },
    ...minimum === undefined ? {} : { minimum }
  }
}
