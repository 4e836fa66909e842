/** A statement for the driver. With a `name` each connection prepares it once, so the same name must always have the same text. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
}

/** A row by column name: numbers for `int` and `bigint`, strings for `numeric`, `date` and (as ISO 8601 UTC) instants. */
export type Row = Record<string, any>

/** Runs frequent statements, on PostgreSQL and on the embedded database. */
export interface Sql {
  /** Runs one statement that sees no company's data: accounts, sessions, revisions. */
  query: (statement: Statement) => Promise<Row[]>
  /**
   * Runs statements in one transaction and one round trip, or two with `follow`. The policies admit only `companies`.
   * @param timeout of each statement in ms, without the commit, which must not end before the replicas have it. Default: that of the
   * session
   * @param follow makes statements from the rows of the others. They run together with the commit, in the second round trip.
   * @returns the rows of `statements` @throws the first error of a statement, or that of `follow`, after a rollback
   */
  within: (
    companies: number[], mode: TransactionMode, statements: Statement[], timeout?: number, follow?: (rows: Row[][]) => Statement[]
  ) => Promise<Row[][]>
}

/** Options of `begin`. With repeatable read, all statements read one snapshot. */
type TransactionMode = 'read only' | 'read write' | 'isolation level repeatable read, read only'
