import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { MessageKey } from '../../http/messages.ts'
import type { Filter } from './conditions.ts'
import type { Scope } from './scope.ts'

/** A column that lists can be ordered by. */
export interface OrderingColumn {
  sql: string
  /** PostgreSQL type that a cursor's value is cast to. */
  type: string
  /** A function that converts the shown value, which a cursor holds, to a value of `sql`. */
  by?: string
  nullable?: boolean
  /** Whether `sql` refers to the resource's `filterJoins`. */
  joins?: boolean
  /** Whether an index has the records in this order: others are sorted. */
  indexed?: boolean
}

/** What a filter adds to a list's conditions: `sql` refers to its value as `$`. */
export interface Condition {
  sql: string
  /** PostgreSQL type of the value; without one the condition has no value. */
  type?: string
  value?: unknown
  /** A function that the value goes through first, once a request and not once a row. */
  by?: string
  /** Whether the value is a term of a search, which the search index is asked for first. */
  term?: boolean
  /** Whether few records may meet it, which an index finds. */
  narrow?: boolean
  /** Whether one record at most meets it, which an index finds. */
  single?: boolean
  /** Whether `sql` refers to the resource's `filterJoins`. */
  joins?: boolean
}

/** A field that names another record of the same company by id and, where `byName` is given, by that column's exact text. */
export interface Reference {
  resource: string
  column: string
  byName?: string
}

/** Values of a record's writable fields, as the API's schema lets them through. */
export type Values = Record<string, unknown>

/** What pages and single records need to know of a resource. In SQL, `t` is the resource's table. */
export interface Readable {
  /** Path segment, table, counter column and name in the change log: one word. */
  name: string
  /** Whose records are answered with; by default the active company's. */
  scope?: Scope
  /** Select list of a list item, the joins that it needs, and the same of what the single record adds. */
  item: string
  joins: string
  /** Those of the joins that orderings and conditions refer to: a list makes them for every row that it looks at, the others for its page. */
  filterJoins: string
  detail: string
  detailJoins: string
  ordering: Record<string, OrderingColumn>
  filters: Record<string, Filter>
  /**
   * Columns that `search` looks in, already in the form of `search_text`: the table's `busqueda` and, where its migration has
   * `keep_search_of` follow a reference, what is searched there.
   */
  search: string[]
}

/**
 * Everything that the shared machinery (pages, records, creates, updates, deletes) needs to know of a company's resource. Names of
 * fields are those of the columns, apart from references.
 */
export interface Resource extends Readable {
  /** Fields that bodies may change: columns and references. */
  writable: string[]
  /** Whether a record that has just been made shows sums over others of its kind, among them those that were made with it. */
  sums?: boolean
  /** Writable fields that are columns, with their PostgreSQL types. */
  columns: Record<string, string>
  references: Record<string, Reference>
  /** Values of a new record's fields that the request leaves out; the others are null. */
  defaults: Values
  /** Fields whose values are unique in the company. */
  unique: string[]
  /**
   * What else of the company's data can stand against a record: SQL over `q`, the record as it would be, with its columns,
   * `<reference>_id` and, as `self`, its id (null for a new one).
   */
  constraints: Array<Problem & { sql: string }>
  /** Conflicts between new records of one statement, apart from unique values: SQL over `q` with window functions, true for a record to skip. */
  clashes?: string
  /**
   * For writes whose check depends on an earlier write of another record, apart from unique values: both have one `group`, and the earlier
   * one `decides`. A bulk checks the later one after it.
   */
  order?: (next: Values, current: Values | undefined) => { group: unknown, decides: boolean } | undefined
  /** What keeps a record from being deleted: counts (SQL over `t`) of which one is not 0, and the 409 that tells them. */
  protectedBy: { code: 'protected' | 'conflict', key: MessageKey, counts: Record<string, string> }
  /**
   * Rules between fields, on the whole record as it would be; before an update it is `current`, and `given` is what shall change. A field
   * of `next` that is `undefined` has been refused already: no rule can tell anything of it.
   */
  rules: (next: Values, current: Values | undefined, given: Values) => Problem[]
  /** Why the record's present state does not admit a change (409). */
  conflict?: (next: Values, current: Values) => MessageKey | undefined
  /** The operation that a change is, where it is more than `edit`; a record that is not there is `undefined`. */
  demands?: (given: Values, current: Values | undefined) => Operation
}

/** The writable part of a record in a body: fields that passed the schema, and what is wrong with the others. */
export interface Input {
  values: Values
  problems: Problem[]
}
