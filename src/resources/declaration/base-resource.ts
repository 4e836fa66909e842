import type { TSchema } from '@sinclair/typebox'
import type { Access, Operation } from '../../auth/access.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Filter } from './conditions.ts'
import type { ConstraintMeaning } from './constraint.ts'
import type { Fields } from './field.ts'
import type { OrderingColumn } from './field-spec.ts'
import type { Recorded } from './history.ts'
import type { Input, WriteRequest } from './input.ts'
import type { Reference } from './link.ts'
import type { Schemas, ShownOnce } from './route-schemas.ts'
import type { Scope } from './scope.ts'
import type { Stored } from './stored.ts'
import type { Entity } from './table.ts'
import type { Totals } from './totals.ts'

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
  /** Sums that lists can return. */
  totals?: Totals | undefined
  /**
   * Searched columns in the form of `search_text`: the table's `busqueda` and, if its migration lets `keep_search_of` follow a reference,
   * the searched column there.
   */
  search: string[]
}

/** Names of a record in the OpenAPI document: `a contract`, `contracts`. */
export interface Wording {
  one: string
  many: string
}

/** Texts and example of the OpenAPI document for a resource's routes. They replace or complete the common ones. */
export interface RouteWords {
  update?: { description?: string, response?: Record<number, TSchema> }
  remove?: { summary?: string, description?: string }
  /** Id of a record of the demo data that a client can change. Default: 1. */
  exampleId?: number
}

/** Access that the routes of a resource require. */
export interface ResourceAccess {
  read: Access
  write: Access
  remove: Access
}

/** Access that the routes of a resource of companies require. */
export type CompanyAccess = Record<keyof ResourceAccess, Operation>

/** The texts of a feed that is limited to records of one resource. */
export interface FeedRoot {
  /** What such a feed leaves out, for the description of the parameter. */
  leftOut: string
  /** The message for a cursor of other records. */
  otherCursor: ProblemKey
  /** Ids. */
  examples: string[][]
}

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
  /** What the history has of its records. */
  recorded: Recorded
  /** Written fields that are columns, with their PostgreSQL types. */
  columns: Record<string, string>
  /** SQL over `t` of columns whose values in answers are not those of the driver. */
  printed: Record<string, string>
  /** SQL over `t` and `joins` of the values with which a change keeps a field. */
  echoed: Record<string, string>
  references: Record<string, Reference>
  /** Fields whose values are unique in the company. */
  unique: string[]
  /** Constraints of the database whose names do not follow a convention, by name. */
  meanings: Record<string, ConstraintMeaning>
  /** Runs before the transaction, for example to hash a password. Adds problems to the input. */
  prepare?(request: WriteRequest, input: Input): Promise<Input>
}
