import type { FastifyRequest } from 'fastify'
import type { TSchema } from '@sinclair/typebox'
import type { Access, Operation } from '../../auth/access.ts'
import type { CopiedColumn, WritableState } from '../../database/schema/child-triggers.ts'
import type { Problem } from '../../http/errors.ts'
import type { MessageKey, Texts } from '../../http/messages.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Filter } from './conditions.ts'
import type { Fields } from './field.ts'
import type { OnDelete, OrderingColumn, SumSpec } from './field-spec.ts'
import type { Schemas, ShownOnce } from './route-schemas.ts'
import type { Scope } from './scope.ts'
import type { Stored } from './stored.ts'
import type { Entity } from './table.ts'

/** A field that refers to another record of the same company by id or, with `byName`, also by the exact text of that column. */
export interface Reference {
  resource: string
  column: string
  byName?: string
}

/** The records of a resource that refer to a record by one of their fields. */
export interface Link {
  /** The resource of the records. */
  from: string
  field: string
  /** The column with the id of the referred record. */
  column: string
  /** The resource of the referred record. */
  to: string
  onDelete: OnDelete
  /** The records in messages, such as `subcontracts`. */
  called: Texts
  /** Whether the referred record has them as its parts. Otherwise they use it. */
  isPart: boolean
}

/** Records that prevent a delete: they refer to the record, or to one that `through` cascades is deleted with it. */
export interface Dependent extends Link {
  /** The cascades, from the record on. */
  through: Link[]
}

/** A column within which values are unique. */
export interface ScopeColumn {
  column: string
  isNullable: boolean
}

/** What a violated constraint of the database means: a problem of a field (400), or a state that forbids the write (409). */
export type ConstraintMeaning = Problem | { conflict: MessageKey }

/** Validated values of a record's writable fields. */
export type Values = Record<string, unknown>

/** The parts of a resource for lists and single records. In SQL, `t` is the resource's table. */
export interface Readable {
  /** Path segment, table, counter column and name in the table `changes`: one word. */
  name: string
  /** Limits the records. Default: those of the active company. */
  scope?: Scope
  /** Select list of a list item with its joins. `detail` and `detailJoins` are what the single record adds. */
  item: string
  joins: string
  /** Joins for orderings and conditions. A list joins them for every row that it reads, but `joins` only for the rows of its page. */
  filterJoins: string
  detail: string
  detailJoins: string
  ordering: Record<string, OrderingColumn>
  filters: Record<string, Filter>
  /**
   * Searched columns in the form of `search_text`: the table's `busqueda` and, if its migration lets `keep_search_of` follow a reference, the
   * searched column there.
   */
  search: string[]
}

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

/** The writable fields of a body: valid values, and problems of the others. */
export interface Input<V = Values> {
  values: V
  problems: Problem[]
}

/** A request that writes a record, after the check that its body is an object. */
export type WriteRequest = FastifyRequest<{ Body: Values, Params: { id?: string } }>

/** What follows from the fields of a resource, of companies or of accounts. Fields have the names of their columns, except references. */
export interface BaseResource<F extends Fields = Fields> extends Readable, Wording {
  fields: F
  entity: Entity
  title: string
  access: ResourceAccess
  routes: RouteWords
  once: ShownOnce | undefined
  /** Whether bodies can send back the record with nested records. */
  isNested: boolean
  /** Fields that bodies can change. `written` has those too that only `prepare` sets: columns and references. */
  writable: string[]
  written: string[]
  /** Whether bodies have fields that are not part of answers, such as passwords. */
  hasSecrets: boolean
  /** The reference to records whose texts are in the search index too. */
  searchReference: string | undefined
  schemas: Schemas
  /** The record in the change feed. */
  stored: Stored
  /** Written fields that are columns, with their PostgreSQL types. */
  columns: Record<string, string>
  /** SQL over `t` of columns whose values in answers are not those of the driver. */
  printed: Record<string, string>
  references: Record<string, Reference>
  /** Fields whose values are unique in the company. */
  unique: string[]
  /** Constraints of the database whose names do not follow a convention, by name. */
  meanings: Record<string, ConstraintMeaning>
  /** Runs before the transaction, for example to hash a password. Adds problems to the input. */
  prepare?(request: WriteRequest, input: Input): Promise<Input>
}

/**
 * A conflict with other data of the company: SQL over `q`, the record after the change, with its columns, `<reference>_id` and its id as `self`
 * (null for a new record). A subquery can read all records of the statement from `resolved`.
 */
export interface Constraint<Name extends string = string> extends Problem {
  sql: string
  /** A change is checked if it has one of these fields, or always without them. */
  dependsOn?: readonly Name[]
  /** SQL over `q`: one statement writes a value of `field` to only one record that meets this condition. */
  onceAmong?: string
  /** The constraint of the database that refuses the same. */
  name?: string
}

/** Records that cannot be deleted, whatever refers to them: SQL over `t`, the message of the 409, and the constraint that refuses the same. */
export interface KeptRecords {
  sql: string
  key: MessageKey
  name?: string
}

/**
 * A resource of a company, as the engine for pages, records, creates, updates and deletes uses it. The functions of its declaration are methods
 * here, so that they can take the values that the schemas of the fields have validated.
 */
export interface Resource<F extends Fields = Fields> extends BaseResource<F> {
  kind: 'company'
  /** The description of its routes in the OpenAPI document. */
  about: string
  feed: 'always' | 'named'
  /**
   * The joins of a new record in the statement that inserts it, if `joins` reads other records of the table: a statement does not see its own
   * inserts, which are `t`.
   */
  joinsOfNew?: string
  /** Default values of a new record. Other fields are null. */
  defaults: Values
  /** Fields whose values are unique among the records with the same references, with the columns of these. */
  uniqueWithin: Record<string, ScopeColumn[]>
  /** Fields that only a new record gets. */
  fixed: string[]
  /** Columns that a new record copies from its parents. */
  copies: CopiedColumn[]
  /** The sums that fields keep. */
  sums: Record<string, readonly SumSpec[]>
  /** The state of the parent that allows writes. */
  writableState?: WritableState & { otherwise: ProblemKey }
  constraints: Constraint[]
  /** Conflicts between new records of one statement, except unique values: SQL over `q` with window functions, true for a record to skip. */
  clashes?: string
  /** A record in messages: `a contract`. */
  called: Texts
  /** The resource's own references to records of companies. */
  links: Link[]
  /** References that prevent a delete of its records. `linkResources` sets them. */
  dependents: Dependent[]
  /** Whether a delete of its records deletes others too. `linkResources` sets it. */
  cascades: boolean
  kept?: KeptRecords | undefined
  /**
   * Set it if the check of a write depends on another record written earlier in the bulk, except for unique values. Both records have the
   * same `group`, and `decides` marks the earlier one. The bulk writes the later one in a later set.
   */
  order?(next: Values, current: Values | undefined): { group: unknown, decides: boolean } | undefined
  /**
   * Rules between fields, for the complete record after the change. `current` is the record before an update, `given` the fields of the
   * request. Fields of `next` that are `undefined` have been refused already, so rules skip them.
   */
  rules(next: Values, current: Values | undefined, given: Values): Problem[]
  /** The message if the current state of the record does not allow a change (409). */
  conflict?(next: Values, current: Values): ProblemKey | undefined
  /** The operation that a change requires, if it is more than `edit`. `current` is undefined for a new record. */
  demands?(given: Values, current: Values | undefined): Operation
}
