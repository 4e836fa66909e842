import type { Revision } from '../../http/representation.ts'
import { sqlState } from '../connection/sql-errors.ts'
import type { Row, Statement } from '../connection/sql.ts'
import type { Group } from './shares.ts'

/**
 * A query that a turn runs once for many requests. `text` reads its parameters from `q`, which {@link requestRows} creates with one row per
 * request: `company`, the columns in order (`caller` has the user), and `i`, the position of the request. Each row of the result has this
 * `i`.
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
  /** A write in the same transaction that depends on the rows of this one. Only the write turn runs it. */
  followUp?: (rows: Row[]) => BatchRequest | undefined
  /** The caller of a write, as authenticated. The write fails if the session or level has changed since. */
  caller?: CallerAuthority
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

/** Makes a query, or something else, only once for a resource, because a prepared statement must always have the same text. */
export function perResource<R extends object, T> (make: (resource: R) => T): (resource: R) => T {
  const made = new WeakMap<R, T>()
  return function once (resource) {
    let one = made.get(resource)
    if (one === undefined) made.set(resource, one = make(resource))
    return one
  }
}

/** PostgreSQL type of id parameters, also for the `int` columns of accounts, so that no id of a caller overflows. */
export const idType = 'bigint'

/** The companies of requests, in the order in which writers lock them. */
export function companiesOf (requests: BatchRequest[]): number[] {
  return [...new Set(requests.map(request => request.company))].sort((a, b) => a - b)
}

/** Statements for requests. `assignRows` assigns the rows of their results to the requests. */
interface Combined {
  statements: Statement[]
  assignRows: (results: Row[][]) => Row[][]
}

/** Combines requests to one statement per query, or per query and caller. Those of answers come last. */
export function combined (requests: BatchRequest[]): Combined {
  const first = grouped(requests)
  const answering: number[] = []
  const answers: BatchRequest[] = []
  for (const [index, request] of requests.entries()) {
    if (request.answer === undefined) continue
    answering.push(index)
    answers.push({ ...request, ...request.answer })
  }
  if (answering.length === 0) return first
  const last = grouped(answers)
  return {
    statements: [...first.statements, ...last.statements],
    assignRows (results) {
      const assigned = first.assignRows(results)
      const rows = last.assignRows(results.slice(first.statements.length))
      for (const [place, index] of answering.entries()) {
        if (assigned[index].length > 0) assigned[index] = rows[place]
      }
      return assigned
    }
  }
}

/** A {@link BatchRequest.followUp} that throws. It must not fail the other requests of its turn. */
export class FollowUpError extends Error {}

/**
 * Makes the follow-ups of requests from the results of their statements.
 * @param rowsOf assigns the rows of results to the requests
 * @returns undefined if no request has one; else a function that throws {@link FollowUpError} with its cause
 */
export function followUpsOf (
  requests: BatchRequest[], rowsOf: (results: Row[][]) => Row[][]
): ((results: Row[][]) => Statement[]) | undefined {
  if (requests.every(({ followUp }) => followUp === undefined)) return undefined
  return function follow (results) {
    const rows = rowsOf(results)
    try {
      return combined(requests.flatMap(({ followUp }, index) => followUp?.(rows[index]) ?? [])).statements
    } catch (cause) {
      throw new FollowUpError('a follow-up failed', { cause })
    }
  }
}

function grouped (requests: BatchRequest[]): Combined {
  const groups = groupsOf(requests)
  const statements: Statement[] = []
  for (const { query, indexes } of groups) statements.push(statement(query, requests, indexes))
  return {
    statements,
    assignRows (results) {
      const answers: Row[][] = requests.map(emptyList)
      for (const [group, { indexes }] of groups.entries()) {
        for (const row of results[group]) answers[indexes[row['i'] - 1]]?.push(row)
      }
      return answers
    }
  }
}

/** The positions of the requests of one statement. */
interface StatementGroup {
  query: BatchQuery
  indexes: number[]
}

/** The requests by query and, if the query has a statement for each caller, by user. */
function groupsOf (requests: BatchRequest[]): StatementGroup[] {
  const byQuery = new Map<BatchQuery, Map<number | undefined, StatementGroup>>()
  for (const [index, { query, caller }] of requests.entries()) {
    let byUser = byQuery.get(query)
    if (byUser === undefined) byQuery.set(query, byUser = new Map())
    const user = query.perCaller === true ? caller?.user : undefined
    const group = byUser.get(user)
    if (group === undefined) byUser.set(user, { query, indexes: [index] })
    else group.indexes.push(index)
  }
  const groups: StatementGroup[] = []
  for (const byUser of byQuery.values()) groups.push(...byUser.values())
  return groups
}

function statement ({ name, text, columns }: BatchQuery, requests: BatchRequest[], indexes: number[]): Statement {
  const parameters = columns.map(([column], place) => indexes.map((index) => {
    const { values, caller } = requests[index]
    return (column === 'caller' ? caller?.user : values[place]) ?? null
  }))
  return { name, text, values: [indexes.map(index => requests[index].company), ...parameters] }
}

function emptyList (): never[] {
  return []
}

/** Requests to the read turn and to the write turn. */
export interface Turns {
  read: (request: BatchRequest) => Promise<Row[]>
  write: (request: BatchRequest) => Promise<Row[]>
}

/**
 * What gives the caller of a write its rights: the user, its bucket, its authority revision at authentication, and the end of the session
 * in seconds since 1970.
 */
export interface CallerAuthority {
  user: number
  bucket: number
  authority: number
  expires: number
}

/** The statement that locks the revisions of companies before a write, so that what the transaction reads stays true until the commit. */
export function lockCompanies (companies: number[]): Statement {
  return { name: 'lock', text: 'select lock_companies($1::int[])', values: [companies] }
}

/**
 * A statement that fails the transaction if an authority revision has changed since authentication, or if a session has expired. It runs
 * after the lock, so it sees writes that were committed during the wait.
 * @returns no statement without callers
 */
export function checkCallers (callers: CallerAuthority[]): Statement[] {
  if (callers.length === 0) return []
  return [{
    name: 'check callers',
    text: changedCallers,
    values: [callers.map(({ bucket }) => bucket), callers.map(({ authority }) => authority), callers.map(({ expires }) => expires)]
  }]
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
