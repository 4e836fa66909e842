/** A statement for the driver. With a `name` each connection prepares it once, so the same name must always have the same text. */
export interface Statement<R extends object = Row> {
  name?: string
  text: string
  values: unknown[]
  /** Only the compiler uses it: the type of the rows that `text` selects. */
  readonly rows?: R[]
}

/** A row by column name: numbers for `int` and `bigint`, strings for `numeric`, `date` and (as ISO 8601 UTC) instants. */
export type Row = Record<string, any>

/** The type of the rows of a statement. A statement without `rows` would match every optional member. */
type RowsOf<S> = 'rows' extends keyof S ? NonNullable<S[keyof S & 'rows']> : Row[]

/** The types of the rows of several statements. */
export type Results<S extends readonly Statement<object>[]> = { -readonly [K in keyof S]: RowsOf<S[K]> }

/** Runs frequent statements, on PostgreSQL and on the embedded database. */
export interface Sql {
  /** Runs one statement that sees no company's data: accounts, sessions, revisions. */
  query: <R extends object = Row>(statement: Statement<R>) => Promise<R[]>
  /**
   * Runs statements in one transaction and one round trip, or two with `follow`. The policies admit only `companies`.
   * @param timeout of each statement in ms, without the commit, which must not end before the replicas have it. Default: that of the
   * session
   * @param follow makes statements from the rows of the others. They run together with the commit, in the second round trip.
   * @returns the rows of `statements` @throws the first error of a statement, or that of `follow`, after a rollback
   */
  within: <const S extends readonly Statement<object>[]>(
    companies: number[], mode: TransactionMode, statements: [...S], timeout?: number, follow?: (rows: Results<S>) => Statement[]
  ) => Promise<Results<S>>
}

/** Options of `begin`. With repeatable read, all statements read one snapshot. */
export type TransactionMode = 'read only' | 'read write' | 'isolation level repeatable read, read only'
