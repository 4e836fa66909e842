import type { EntityName } from '@mikro-orm/core'
import type { Problem } from '../errors.ts'
import type { MessageKey } from '../language/messages.ts'

/** A column that lists can be ordered by. */
export interface OrderingColumn {
  sql: string
  /** PostgreSQL type that a cursor's value is cast to. */
  type: string
  nullable?: boolean
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
  /** Whether `sql` refers to the resource's joins. */
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

/**
 * Everything that the shared machinery (pages, records, creates, updates, deletes) needs to know of a resource. In SQL,
 * `t` is the resource's table. Names of fields are those of the columns, apart from references.
 */
export interface Resource {
  /** Path segment, table, counter column and name in the change log: one word. */
  name: string
  entity: EntityName<any>
  /** Select list of a list item, the joins that it needs, and the same of what the single record adds. */
  item: string
  joins: string
  detail: string
  detailJoins: string
  /** Writable fields that are columns, with their PostgreSQL types. */
  columns: Record<string, string>
  references: Record<string, Reference>
  /** Values of a new record's fields that the request leaves out; the others are null. */
  defaults: Values
  /** Fields whose values are unique in the company. */
  unique: string[]
  ordering: Record<string, OrderingColumn>
  filters: Record<string, (value: any) => Condition>
  /**
   * Columns that `search` looks in, already in the form of `search_text`: the table's `busqueda` and, where its migration has
   * `keep_search_of` follow a reference, what is searched there.
   */
  search: string[]
  /** What else of the company's data can stand against a record: SQL over `q`, which has `self`, the unique fields and `<reference>_id`. */
  obstacles: Array<Problem & { sql: string }>
  /** Records that keep this one from being deleted: counts of them (SQL over `t`) and the message that says how many. */
  protectedBy: { key: MessageKey, counts: Record<string, string> }
  /** Rules between fields, on the whole record as it would be; `current` is the record before an update. */
  rules: (next: Values, current?: Values) => Problem[]
}
