import { isSameRevision, revisionOf, type Revision } from '../http/representation.ts'
import { LRUCache } from 'lru-cache'
import type { TurnCaller } from './write-turn.ts'
import { isCancelled, isDataError } from './sql-errors.ts'
import { retrying, type Row, type Sql, type Statement } from './sql.ts'
import { divideConnections, type Group, type Shares } from './shares.ts'
import { batch, longestWait } from './turn.ts'

/**
 * A query that a turn runs once for many requests. `text` reads its parameters from `q`, which {@link requestRows} creates with one row per
 * request: `company`, the columns in order, and `i`, the position of the request. Each row of the result has this `i`.
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
  /** End of the wait of a write, by `performance.now()`. Default: {@link longestWait} after its arrival. */
  deadline?: number
}

/** Maximum requests per batch. */
export const most = 200

/** Maximum rows of a company's requests in a batch of reads. A request for more has a batch without others of its company. */
export const mostRows = 400

/** Timeout in ms of each statement of the common read turn. No page needs as much. */
const commonTimeout = 2000

/** Timeout in ms of a read that is repeated after {@link commonTimeout}. */
const repeatTimeout = 3000

/** Time in ms for which the reads of a company run apart after one that was costly. */
const costlyFor = 60_000

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

/** Combines requests to one statement per query. `deal` assigns the rows of the results to the requests. */
export function combined (requests: BatchRequest[]): { statements: Statement[], deal: (results: Row[][]) => Row[][] } {
  const answering = [...requests.keys()].filter(index => requests[index]?.answer !== undefined)
  const first = grouped(requests)
  const last = grouped(answering.map(index => ({ ...requests[index] as BatchRequest, ...requests[index]?.answer })))
  return {
    statements: [...first.statements, ...last.statements],
    deal (results) {
      const answers = first.deal(results)
      const rows = last.deal(results.slice(first.statements.length))
      for (const [place, index] of answering.entries()) {
        if ((answers[index] as Row[]).length > 0) answers[index] = rows[place] as Row[]
      }
      return answers
    }
  }
}

function grouped (requests: BatchRequest[]): ReturnType<typeof combined> {
  const groups = [...Map.groupBy(requests.keys(), index => (requests[index] as BatchRequest).query)]
  return {
    statements: groups.map(([query, indexes]) => statement(query, indexes.map(index => requests[index] as BatchRequest))),
    deal (results) {
      const answers: Row[][] = requests.map(() => [])
      for (const [group, [, indexes]] of groups.entries()) {
        for (const row of results[group] as Row[]) answers[indexes[row['i'] - 1] as number]?.push(row)
      }
      return answers
    }
  }
}

function statement ({ name, text, columns }: BatchQuery, requests: BatchRequest[]): Statement {
  const values = [requests.map(request => request.company), ...columns.map((_, index) => requests.map(request => request.values[index] ?? null))]
  return { name, text, values }
}

/** Requests to the read turn and to the write turn. */
export interface Turns {
  read: (request: BatchRequest) => Promise<Row[]>
  write: (request: BatchRequest) => Promise<Row[]>
}

/**
 * The read turn: all requests that arrive together run as one statement per query, in one transaction that admits their companies. The join
 * with `q` limits each row to its own company. Each slow query runs in its own transaction on a connection for slow reads, so that other
 * requests do not wait for it. So do the requests of a turn that timed out, and for a while all requests of a company with a costly one.
 */
export function readTurn (sql: Sql, { slowReads }: Shares = divideConnections(1)): (request: BatchRequest) => Promise<Row[]> {
  const run = async (requests: BatchRequest[], timeout?: number) => {
    const { companies, statements, deal } = planReads(requests)
    return deal(await retrying(async () => await sql.within(companies, 'read only', statements, timeout), performance.now() + longestWait))
  }
  return batchReads('read', slowReads, longestWait, run)
}

/** Longest wait for a connection to a replica, in ms. */
const longestReplicaWait = 1000

/**
 * The read turn of a replica. All its statements read one snapshot, without retries. A slow query does not begin if the replica has another
 * revision.
 * @returns undefined if the company has another revision there than the request
 */
export function replicaReadTurn (sql: Sql, { slowReads }: Shares): (request: BatchRequest) => Promise<Row[] | undefined> {
  const run = async (requests: BatchRequest[], timeout?: number) => {
    const { companies, statements, deal } = planReads(requests)
    const [revisions, ...results] = await sql.within(companies, 'isolation level repeatable read, read only', [presentRevisions(companies), ...statements], timeout) as [Row[]]
    return deal(results).map((rows, index) => isAt(requests[index] as BatchRequest, revisions) ? rows : undefined)
  }
  return batchReads('replica read', slowReads, longestReplicaWait, run, async (requests) => {
    const [request] = requests as [BatchRequest]
    const [revisions] = await sql.within([], 'read only', [presentRevisions([request.company])]) as [Row[]]
    return isAt(request, revisions) ? await run(requests) : [undefined]
  })
}

function isAt ({ company, at }: BatchRequest, revisions: Row[]): boolean {
  const row = revisions.find(row => row['company'] === company)
  return row !== undefined && at !== undefined && isSameRevision(revisionOf(row), at)
}

function presentRevisions (companies: number[]): Statement {
  return { name: 'present revisions', text: 'select company_id as company, revision, stamp from company_revisions where company_id = any ($1::int[])', values: [companies] }
}

/** Answers requests, whose statements end after a timeout in ms. */
type Run<Answer> = (requests: BatchRequest[], timeout?: number) => Promise<Answer[]>

/** @param bound longest wait of a request in ms @param runSlow answers one request with a slow query */
function batchReads<Answer> (name: string, slowReads: Shares['slowReads'], bound: number, run: Run<Answer>, runSlow = run): (request: BatchRequest) => Promise<Answer> {
  const share = { keyOf: ({ company }: BatchRequest) => company, costOf: rowsOf, most: mostRows }
  const common = batch(async (requests: BatchRequest[]) => await run(requests, commonTimeout), { name, inFlight: 2, most, share, bound, isolates: isDataError })
  const alone = { inFlight: Infinity, most: 1 } as const
  const slow = batch(async (requests: BatchRequest[]) => await runSlow(requests), { name: `${name} alone`, ...alone })
  const repeated = batch(async (requests: BatchRequest[]) => await run(requests, repeatTimeout), { name: `${name} repeated`, ...alone })
  const costly = new LRUCache<number, true>({ max: 1000, ttl: costlyFor })

  /** Answers a request by itself. Afterwards, the requests of a company with a costly one stay out of the common turn. */
  async function repeat (request: BatchRequest): Promise<Answer> {
    const started = performance.now()
    try {
      return await repeated(request)
    } finally {
      if (performance.now() - started > commonTimeout / 2) costly.set(request.company, true)
    }
  }

  return async (request) => {
    const { company, customer, query } = request
    const deadline = performance.now() + bound
    if (query.name === undefined || query.slow === true) return await slowReads.run(company, deadline, async () => await slow(request), customer)
    try {
      if (!costly.has(company)) return await common(request)
    } catch (error) {
      if (!isCancelled(error)) throw error
    }
    return await slowReads.run(company, deadline, async () => await repeat(request), customer)
  }
}

function rowsOf ({ query: { columns, limit }, values }: BatchRequest): number {
  return limit === undefined ? 1 : values[columns.findIndex(([name]) => name === limit)] as number
}

/** The statements of requests. `deal` assigns their rows to the requests. */
function planReads (requests: BatchRequest[]): { companies: number[], statements: Statement[], deal: (results: Row[][]) => Row[][] } {
  const { distinct, places } = coalesced(requests)
  const { statements, deal } = combined(distinct)
  return {
    companies: companiesOf(requests),
    statements,
    deal (results) {
      const answers = deal(results)
      for (const [index, { company }] of distinct.entries()) pinned(answers[index] as Row[], company)
      return places.map(place => answers[place] as Row[])
    }
  }
}

/** Reads equal requests once. All of them arrived before the batch runs, so none gets an older answer. */
function coalesced (requests: BatchRequest[]): { distinct: BatchRequest[], places: number[] } {
  const distinct: BatchRequest[] = []
  const seen = new Map<BatchQuery, Map<string, number>>()
  const places = requests.map((request) => {
    const known = seen.get(request.query) ?? seen.set(request.query, new Map()).get(request.query) as Map<string, number>
    const key = `${request.company} ${JSON.stringify(request.values)}`
    const place = known.get(key)
    if (place !== undefined) return place
    known.set(key, distinct.length)
    return distinct.push(request) - 1
  })
  return { distinct, places }
}

/** Checks the company of each row, because the policies admit all companies of a batch. @throws {Error} for a row of another company */
function pinned (rows: Row[], company: number): void {
  const stray = rows.find(row => row['company'] != null && row['company'] !== company)
  if (stray !== undefined) throw new Error(`a row of company ${stray['company']} in the answer to company ${company}`)
}
