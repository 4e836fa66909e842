import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { MessageKey, Texts } from '../../http/messages.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Filter } from './conditions.ts'
import type { Scope } from './scope.ts'
import type { CopiedColumn, WritableState } from '../../database/schema/child-triggers.ts'

/** A column that lists can be ordered by. */
export interface OrderingColumn {
  sql: string
  /** PostgreSQL type that a cursor's value is cast to. */
  type: string
  /** Function that converts the shown value, which a cursor contains, to a value of `sql`. */
  by?: string
  nullable?: boolean
  /** The shown form of decimals, which a cursor's value must have. */
  pattern?: RegExp
  /** The least value of integers. */
  minimum?: number
  /** Whether `sql` refers to the resource's `filterJoins`. */
  joins?: boolean
  /** Whether an index has the records in this order. Otherwise they are sorted. */
  indexed?: boolean
}

/** A field that refers to another record of the same company by id or, with `byName`, also by the exact text of that column. */
export interface Reference {
  resource: string
  column: string
  byName?: string
}

/** What a delete of a record does if others refer to it: it is refused, or it deletes them too. */
export type OnDelete = 'protect' | 'cascade'

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

/** The resource of the records that a sum adds up. */
export interface SummedResource {
  name: string
  entity: any
  links: Link[]
}

/** A sum over the records that refer to a record. */
export interface SumSpec {
  of: () => SummedResource
  /** The amount. */
  field: string
  /** SQL condition over the columns of the records that count. */
  where: string
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

/**
 * A resource of a company, as the engine for pages, records, creates, updates and deletes uses it. Fields have the names of their columns,
 * except references.
 */
export interface Resource extends Readable {
  /** Fields that writes can change: columns and references. */
  written: string[]
  /**
   * The joins of a new record in the statement that inserts it, if `joins` reads other records of the table: a statement does not see its own
   * inserts, which are `t`.
   */
  joinsOfNew?: string
  /** Writable fields that are columns, with their PostgreSQL types. */
  columns: Record<string, string>
  /** SQL over `t` of columns whose values in answers are not those of the driver. */
  printed: Record<string, string>
  references: Record<string, Reference>
  /** Default values of a new record. Other fields are null. */
  defaults: Values
  /** Fields whose values are unique in the company. */
  unique: string[]
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
  /**
   * Conflicts with other data of the company: SQL over `q`, the record after the change, with its columns, `<reference>_id` and its id as
   * `self` (null for a new record). A subquery can read all records of the statement from `resolved`. A change is checked if it has a field of
   * `dependsOn`, or always without it. With `onceAmong`, SQL over `q`, one statement writes a value of `field` to only one record that meets
   * this condition. `name` is the constraint of the database that refuses the same.
   */
  constraints: Array<Problem & { sql: string, dependsOn?: string[], onceAmong?: string, name?: string }>
  /** Constraints of the database whose names do not follow a convention, by name. */
  meanings: Record<string, ConstraintMeaning>
  /** Conflicts between new records of one statement, except unique values: SQL over `q` with window functions, true for a record to skip. */
  clashes?: string
  /**
   * Set it if the check of a write depends on another record written earlier in the bulk, except for unique values. Both records have the
   * same `group`, and `decides` marks the earlier one. The bulk writes the later one in a later set.
   */
  order?: (next: Values, current: Values | undefined) => { group: unknown, decides: boolean } | undefined
  /** A record in messages: `a contract`. */
  called: Texts
  /** The resource's own references to records of companies. */
  links: Link[]
  /** References to its records that prevent a delete. `linkResources` sets them. */
  dependents: Link[]
  /** Whether a delete of its records deletes others too. `linkResources` sets it. */
  cascades: boolean
  /** Records that cannot be deleted, whatever refers to them: SQL over `t`, the message of the 409, and the constraint that refuses the same. */
  kept?: { sql: string, key: MessageKey, name?: string } | undefined
  /**
   * Rules between fields, for the complete record after the change. `current` is the record before an update, `given` the fields of the
   * request. Fields of `next` that are `undefined` have been refused already, so rules skip them.
   */
  rules: (next: Values, current: Values | undefined, given: Values) => Problem[]
  /** The message if the current state of the record does not allow a change (409). */
  conflict?: (next: Values, current: Values) => ProblemKey | undefined
  /** The operation that a change requires, if it is more than `edit`. `current` is undefined for a new record. */
  demands?: (given: Values, current: Values | undefined) => Operation
}

/** The writable fields of a body: valid values, and problems of the others. */
export interface Input {
  values: Values
  problems: Problem[]
}
