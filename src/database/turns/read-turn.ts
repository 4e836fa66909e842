import { limits } from '../../config/limits.ts'
import { isSameRevision, revisionOf } from '../../http/representation.ts'
import { LRUCache } from 'lru-cache'
import { combined, companiesOf, maxRequestsPerBatch, type BatchQuery, type BatchRequest } from './batch-requests.ts'
import { isCancelled, isDataError } from '../connection/sql-errors.ts'
import { retrying } from '../connection/postgres-sql.ts'
import type { Row, Sql, Statement } from '../connection/sql.ts'
import { divideConnections, type Shares } from './shares.ts'
import { batch } from './batch.ts'
import { maxWaitMs } from './crowded.ts'

/** Maximum rows of a company's requests in a batch of reads. A request for more has a batch without others of its company. */
export const maxRowsOfCompany = limits.database.rowsOfRead

/** Timeout in ms of each statement of the common read turn. No page needs as much. */
const commonTimeout = limits.database.sharedReadMs

/** Timeout in ms of a read that is repeated after {@link commonTimeout}. */
const repeatTimeout = 3000

/** Time in ms for which the reads of a company run apart after one that was costly. */
const costlyFor = 60_000

/**
 * The read turn: all requests that arrive together run as one statement per query, in one transaction that admits their companies. The join
 * with `q` limits each row to its own company. Each slow query runs in its own transaction on a connection for slow reads, so that other
 * requests do not wait for it. So do the requests of a turn that timed out, and for a while all requests of a company with a costly one.
 */
export function readTurn (sql: Sql, { slowReads }: Shares = divideConnections(1)): (request: BatchRequest) => Promise<Row[]> {
  const run = async (requests: BatchRequest[], timeout?: number) => {
    const { companies, statements, assignRows } = planReads(requests)
    return assignRows(
      await retrying(async () => await sql.within(companies, 'read only', statements, timeout), performance.now() + maxWaitMs)
    )
  }
  return batchReads('read', slowReads, maxWaitMs, run)
}

/** Longest wait for a connection to a replica, in ms. */
const maxReplicaWaitMs = 1000

/**
 * The read turn of a replica. All its statements read one snapshot, without retries. A slow query does not begin if the replica has another
 * revision.
 * @returns undefined if the company has another revision there than the request
 */
export function replicaReadTurn (sql: Sql, { slowReads }: Shares): (request: BatchRequest) => Promise<Row[] | undefined> {
  const run = async (requests: BatchRequest[], timeout?: number) => {
    const { companies, statements, assignRows } = planReads(requests)
    const [revisions, ...results] = await sql.within(
      companies, 'isolation level repeatable read, read only', [presentRevisions(companies), ...statements], timeout
    )
    return assignRows(results).map((rows, index) => isAt(requests[index], revisions) ? rows : undefined)
  }
  return batchReads('replica read', slowReads, maxReplicaWaitMs, run, async (requests) => {
    const [request] = requests
    const [revisions] = await sql.within([], 'read only', [presentRevisions([request.company])])
    return isAt(request, revisions) ? await run(requests) : [undefined]
  })
}

function isAt ({ company, at }: BatchRequest, revisions: Row[]): boolean {
  const row = revisions.find(row => row['company'] === company)
  return row !== undefined && at !== undefined && isSameRevision(revisionOf(row), at)
}

function presentRevisions (companies: number[]): Statement {
  return {
    name: 'present revisions',
    text: 'select company_id as company, revision, stamp from company_revisions where company_id = any ($1::int[])',
    values: [companies]
  }
}

/** Answers requests, whose statements end after a timeout in ms. */
type Run<Answer> = (requests: BatchRequest[], timeout?: number) => Promise<Answer[]>

/** @param requestWaitMs longest wait of a request @param runSlow answers one request with a slow query */
function batchReads<Answer> (
  name: string, slowReads: Shares['slowReads'], requestWaitMs: number, run: Run<Answer>, runSlow = run
): (request: BatchRequest) => Promise<Answer> {
  const share = { keyOf: ({ company }: BatchRequest) => company, costOf: rowsOf, maxCost: maxRowsOfCompany }
  const common = batch(async (requests: BatchRequest[]) => await run(requests, commonTimeout), {
    name, inFlight: 2, maxRequests: maxRequestsPerBatch, share, requestWaitMs, isolates: isDataError
  })
  const alone = { inFlight: Infinity, maxRequests: 1 } as const
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

  return async function read (request) {
    const { company, customer, query } = request
    const deadline = performance.now() + requestWaitMs
    if (query.name === undefined || query.slow === true) {
      return await slowReads.run(company, deadline, async () => await slow(request), customer)
    }
    try {
      if (!costly.has(company)) return await common(request)
    } catch (error) {
      if (!isCancelled(error)) throw error
    }
    return await slowReads.run(company, deadline, async () => await repeat(request), customer)
  }
}

function rowsOf ({ query: { columns, limit }, values }: BatchRequest): number {
  return limit === undefined ? 1 : Number(values[columns.findIndex(([name]) => name === limit)])
}

/** The statements of requests. `assignRows` assigns their rows to the requests. */
function planReads (requests: BatchRequest[]): { companies: number[], statements: Statement[], assignRows: (results: Row[][]) => Row[][] } {
  const { distinct, places } = coalesced(requests)
  const { statements, assignRows } = combined(distinct)
  return {
    companies: companiesOf(requests),
    statements,
    assignRows (results) {
      const answers = assignRows(results)
      for (const [index, { company }] of distinct.entries()) pinned(answers[index], company)
      return places.map(place => answers[place])
    }
  }
}

/** Reads equal requests once. All of them arrived before the batch runs, so none gets an older answer. */
function coalesced (requests: BatchRequest[]): { distinct: BatchRequest[], places: number[] } {
  const distinct: BatchRequest[] = []
  const seen = new Map<BatchQuery, Map<string, number>>()
  const places: number[] = []
  for (const request of requests) {
    let known = seen.get(request.query)
    if (known === undefined) seen.set(request.query, known = new Map())
    const key = `${request.company} ${JSON.stringify(request.values)}`
    const place = known.get(key) ?? distinct.push(request) - 1
    known.set(key, place)
    places.push(place)
  }
  return { distinct, places }
}

/** Checks the company of each row, because the policies admit all companies of a batch. @throws {Error} for a row of another company */
function pinned (rows: Row[], company: number): void {
  const stray = rows.find(row => row['company'] != null && row['company'] !== company)
  if (stray !== undefined) throw new Error(`a row of company ${stray['company']} in the answer to company ${company}`)
}
