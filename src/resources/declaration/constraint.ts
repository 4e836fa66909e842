import type { Problem } from '../../http/errors.ts'
import type { MessageKey } from '../../http/messages.ts'

/** What a violated constraint of the database means: a problem of a field (400), or a state that forbids the write (409). */
export type ConstraintMeaning = Problem | { conflict: MessageKey }

/**
 * A rule about a record and other data of the company. `sql` is a condition for its violation over the record after the write, `n`, and
 * before it, `o` (null for a new record). Both have the columns of the fields and copies, `company_id` and `id`, and `o` has all columns of
 * the table. `n.caller` is the id of the user who writes, or null for psql. The rule is compiled twice (decision 74): into the statements
 * of the engine, which find all problems of many requests at once, and into a trigger, which holds it for psql, for triggers and for
 * concurrent writers, and raises `name`. No subquery may have the alias `n` or `o`.
 */
export interface Constraint<Name extends string = string> extends Problem {
  sql: string
  /** Only new records can break it, or only changed ones. The others are not checked. Default: both. */
  only?: 'new' | 'changed'
  /** A change is checked if it has one of these fields, or always without them. */
  dependsOn?: readonly Name[]
  /** SQL over `n`: one statement writes a value of `field` to only one record that meets this condition. */
  onceAmong?: string
  /** The name that the database gives the violation. */
  name?: string
  /**
   * Writes do not check it. A trigger refuses the whole statement, and then the condition finds the records. This is for rules that are
   * rarely broken, and for records that are valid only together with others of their statement.
   */
  raised?: true
  /**
   * How the database holds it. `row`: before each row, where the tables are as before the write of this row. `statement`: after the
   * statement, once for all of its rows. By default, something else in the schema raises the name: an index, or a function that needs more
   * than one row.
   */
  held?: 'row' | 'statement'
  /** SQL of the detail of the error that a trigger for each row raises. */
  detail?: string
  /** The resources whose records `field` is the sum of. Bodies can give it only for a record without them. */
  sumOf?: readonly string[]
}

/** What stands for the records of a rule in a statement: SQL of the id, the user who writes, and a column after and before the write. */
export interface RuleRecords {
  id: string
  caller: string
  after: (column: string) => string
  before: (column: string) => string
}

/** The SQL of a rule in a statement or trigger. */
export function ruleSql (sql: string, { id, caller, after, before }: RuleRecords): string {
  return sql
    .replaceAll(/\bn\.caller\b/g, caller)
    .replaceAll(/\bn\.(\w+)/g, (_, column: string) => column === 'id' ? id : after(column))
    .replaceAll(/\bo\.(\w+)/g, (_, column: string) => before(column))
}

/** The columns of the record before the write that rules read. */
export function columnsBefore (rules: ReadonlyArray<Pick<Constraint, 'sql'>>): string[] {
  return [...new Set(rules.flatMap(({ sql }) => [...sql.matchAll(/\bo\.(\w+)/g)].map(([, column]) => column)))]
}

/** The user who writes, in a statement over `q`. In a transaction of one user, only the setting has the user (decision 49). */
export const requestingUser = "coalesce(q.caller, nullif(current_setting('app.user', true), '')::int)"

/** The record after a write, in a statement over `q`. */
export function requested (column: string): string {
  return column === 'company_id' ? 'q.company' : `q.${column}`
}

/**
 * Records that cannot be deleted, whatever refers to them: SQL over `t`, the message of the 409, and the constraint that refuses the same.
 */
export interface KeptRecords {
  sql: string
  key: MessageKey
  name?: string
}
