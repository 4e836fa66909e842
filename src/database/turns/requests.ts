import type { Revision } from '../../http/representation.ts'
import { sqlState } from '../connection/sql-errors.ts'
import type { Row, Statement } from '../connection/sql.ts'
import type { Group } from './shares.ts'

/**
 * A query that a turn runs once for many requests. `text` reads its parameters from `q`, which {@link requestRows} creates with one row per
 * request: `company`, the columns in order (`caller` has the user), and `i`, the position of the request. Each row of the result has this `i`.
 */
export interface BatchQuery {
  /** Name of the prepared statement. Omit it if there are many such queries. */
  name?: string
  /** Whether it can be slow in a large company. A query without a name always counts as slow. */
  slow?: boolean
  /** Parameter columns of `q` after `company`, each with its PostgreSQL type. */
  columns: ReadonlyArray<readonly [name: string, type: string]>
  /** The column with the maximum number of rows. Without it, a request has one row. */
  limit?: string
  /** Whether each caller has an own statement, because the caller of some of its rows is only known for all of them. */
  perCaller?: boolean
  text: string
}

/** A request of a turn: a query and its values. */
export interface BatchRequest {
  query: BatchQuery
  company: number
  /** The customer of the company, whose companies share connections for slow work. */
  customer?: Group
  /** Values of the query's columns, in order. */
  values: unknown[]
  /** The company's revision on the primary, read after the request arrived. A replica that has the same revision may answer a read. */
  at?: Revision
  /** Read at the end of the transaction. Its rows replace those of `query`, if that returned any. */
  answer?: Pick<BatchRequest, 'query' | 'values'>
  /** The caller of a write, as authenticated. The write fails if the session or level has changed since. */
  caller?: TurnCaller
  /** End of the wait of a write, by `performance.now()`. Default: 10 s after its arrival. */
  deadline?: number
}

/** Maximum requests per batch. */
export const maxRequestsPerBatch = 200

/** SQL of the relation `q` of a query. @param owner the column of `q` with the company, or with the customer for accounts */
export function requestRows (columns: BatchQuery['columns'], owner = 'company'): string {
  const parameters = [[owner, 'int'], ...columns] as const
  const arrays = parameters.map(([, type], index) => `$${index + 1}::${type}[]`)
  return `unnest(${arrays.join(', ')}) with ordinality as q (${parameters.map(([name]) => `"${name}"`).join(', ')}, i)`
}

/** The companies of requests, in the order in which writers lock them. */
export function companiesOf (requests: BatchRequest[]): number[] {
  return [...new Set(requests.map(request => request.company))].sort((a, b) => a - b)
}

/** Combines requests to one statement per query, or per query and caller. `assignRows` assigns the rows of the results to the requests. */
export function combined (requests: BatchRequest[]): { statements: Statement[], assignRows: (results: Row[][]) => Row[][] } {
  const answering = [...requests.keys()].filter(index => requests[index]?.answer !== undefined)
  const first = grouped(requests)
  const last = grouped(answering.map(index => ({ ...requests[index], ...requests[index]?.answer })))
  return {
    statements: [...first.statements, ...last.statements],
    assignRows (results) {
      const answers = first.assignRows(results)
      const rows = last.assignRows(results.slice(first.statements.length))
      for (const [place, index] of answering.entries()) {
        if (answers[index].length > 0) answers[index] = rows[place]
      }
      return answers
    }
  }
}

function grouped (requests: BatchRequest[]): ReturnType<typeof combined> {
  const groups = [...Map.groupBy(requests.keys(), index => requests[index].query)].flatMap(([query, indexes]) => {
    const parts = query.perCaller === true ? [...Map.groupBy(indexes, index => requests[index]?.caller?.user).values()] : [indexes]
    return parts.map(part => [query, part] as const)
  })
  return {
    statements: groups.map(([query, indexes]) => statement(query, indexes.map(index => requests[index]))),
    assignRows (results) {
      const answers: Row[][] = requests.map(() => [])
      for (const [group, [, indexes]] of groups.entries()) {
        for (const row of results[group]) answers[indexes[row['i'] - 1]]?.push(row)
      }
      return answers
    }
  }
}

function statement ({ name, text, columns }: BatchQuery, requests: BatchRequest[]): Statement {
  const values = [requests.map(request => request.company), ...columns.map(([column], index) => requests.map(({ values, caller }) => (column === 'caller' ? caller?.user : values[index]) ?? null))]
  return { name, text, values }
}

/** Requests to the read turn and to the write turn. */
export interface Turns {
  read: (request: BatchRequest) => Promise<Row[]>
  write: (request: BatchRequest) => Promise<Row[]>
}

/** The caller of a write: the user, its bucket, its authority revision at authentication, and the end of the session in seconds since 1970. */
export interface TurnCaller {
  user: number
  bucket: number
  authority: number
  expires: number
}

/**
 * A statement that fails the transaction if an authority revision has changed since authentication, or if a session has expired. It runs after
 * the lock, so it sees writes that were committed during the wait.
 * @returns no statement without callers
 */
export function checkCallers (callers: TurnCaller[]): Statement[] {
  if (callers.length === 0) return []
  return [{ name: 'check callers', text: changedCallers, values: [callers.map(({ bucket }) => bucket), callers.map(({ authority }) => authority), callers.map(({ expires }) => expires)] }]
}

/** The statement that tells triggers the user of a transaction (decision 49). */
export function actAs (user: number): Statement {
  return { name: 'act as', text: "select set_config('app.user', $1, true)", values: [String(user)] }
}

/** Whether a write failed because its caller's session has expired, or the authority revision of its bucket has changed. */
export function isChangedCaller (error: unknown): boolean {
  return sqlState(error) === 'OB001'
}

const changedCallers = `
  select refuse_changed_caller() from unnest($1::int[], $2::bigint[], $3::float8[]) as q (bucket, authority, expires)
  where q.expires <= extract(epoch from clock_timestamp())::float8
    or q.authority <> coalesce((select a.revision from authority_revisions a where a.bucket = q.bucket), 0) limit 1`
