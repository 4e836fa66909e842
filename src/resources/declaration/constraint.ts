import type { Problem } from '../../http/errors.ts'
import type { MessageKey } from '../../http/messages.ts'

/** What a violated constraint of the database means: a problem of a field (400), or a state that forbids the write (409). */
export type ConstraintMeaning = Problem | { conflict: MessageKey }

/**
 * A conflict with other data of the company: SQL over `q`, the record after the change, with its columns, `<reference>_id` and its id as `self`
 * (null for a new record). A subquery can read all records of the statement from `resolved`.
 */
export interface Constraint<Name extends string = string> extends Problem {
  sql: string
  /** Only new records can break it, or only changed ones. The others are not checked. Default: both. */
  only?: 'new' | 'changed'
  /** A change is checked if it has one of these fields, or always without them. */
  dependsOn?: readonly Name[]
  /** SQL over `q`: one statement writes a value of `field` to only one record that meets this condition. */
  onceAmong?: string
  /** The constraint of the database that refuses the same. */
  name?: string
  /**
   * Writes do not check it. A trigger refuses the whole statement, and then the condition finds the records. For what is rare, or would
   * refuse a record that is valid together with others of its statement.
   */
  raised?: true
  /** The resources whose records `field` is the sum of. Bodies can give it only for a record without them. */
  sumOf?: readonly string[]
}

/** Records that cannot be deleted, whatever refers to them: SQL over `t`, the message of the 409, and the constraint that refuses the same. */
export interface KeptRecords {
  sql: string
  key: MessageKey
  name?: string
}
