import { LRUCache } from 'lru-cache'
import { limits } from '../../config/limits.ts'
import {
  actAs, checkCallers, isChangedCaller, type BatchRequest, companiesOf, maxRequestsPerBatch,
  combined, FollowUpError, followUpsOf, lockCompanies
} from './batch-requests.ts'
import { commits } from '../connection/channels.ts'
import { isCancelled, isDataError, isLockTimeout } from '../connection/sql-errors.ts'
import { lockWaits, retrying } from '../connection/postgres-sql.ts'
import type { Row, Sql } from '../connection/sql.ts'
import { attemptSlowWrite, divideConnections, noteLock, type Group, type Shares } from './shares.ts'
import { batch } from './batch.ts'
import { maxWaitMs } from './crowded.ts'

/** A request with its deadline. */
type Write = BatchRequest & { deadline: number }

/** Maximum requests of a company in a common turn. */
const maxRequestsOfCompany = limits.database.requestsOfWrite

/** Timeout in ms of each statement of several writes. Then each company repeats its own, and if that fails, one by one. */
const timeout = limits.database.sharedWriteMs

const isolates = (error: unknown) => isDataError(error) || isChangedCaller(error) || error instanceof FollowUpError
const deadlineOf = ({ deadline }: Write) => deadline

/**
 * Writes of all companies in common turns. A locked company gets its own turns, so that other companies do not wait for its lock: during a
 * unit of work of the company in this process, and from a lock timeout until one of its own turns gets the lock. A common turn that timed
 * out is repeated in each company's own turn.
 */
export function writeTurn (sql: Sql, shares: Shares = divideConnections(1)): (request: BatchRequest) => Promise<Row[]> {
  const own = new LRUCache<number, (request: Write) => Promise<Row[]>>({ max: 1000, memoMethod: company => ownTurns(sql, shares, company) })
  const isApart = (company: number) => shares.units.active.has(company) || shares.locked.has(company)
  // A lock timeout without a locked company is due to another locked row. Then each request runs by itself, and only requests for that row
  // fail.
  const common = batch(writeUnlocked, {
    name: 'write',
    inFlight: 1,
    maxRequests: maxRequestsPerBatch,
    share: { keyOf: ({ company }) => company, costOf: () => 1, maxCost: maxRequestsOfCompany },
    isolates: error => isolates(error) || isLockTimeout(error),
    deadlineOf
  })

  /** Writes for companies that are not locked. @returns undefined for a request of a locked company */
  async function writeUnlocked (requests: Write[]): Promise<Array<Row[] | undefined>> {
    while (true) {
      const unlocked = requests.filter(({ company }) => !isApart(company))
      if (unlocked.length === 0) return requests.map(() => undefined)
      try {
        const answers = await write(sql, unlocked, timeout)
        if (unlocked.length === requests.length) return answers
        const rowsOf = new Map(unlocked.map((request, place) => [request, answers[place]]))
        return requests.map(request => rowsOf.get(request))
      } catch (error) {
        if (isCancelled(error)) return requests.map(() => undefined)
        if (!isLockTimeout(error)) throw error
        const locked = await lockedOf(sql, companiesOf(unlocked))
        if (locked.length === 0) throw error
        for (const company of locked) noteLock(shares, company, error)
      }
    }
  }

  return async function writeOne (request) {
    const one = { ...request, deadline: request.deadline ?? performance.now() + maxWaitMs }
    const rows = isApart(one.company) ? undefined : await common(one)
    return rows ?? await own.memo(one.company)(one)
  }
}

/** The turns of one company. They wait for the lock without a connection between attempts, each request until its own deadline. */
function ownTurns (sql: Sql, shares: Shares, company: number): (request: Write) => Promise<Row[]> {
  let isRetry = false
  let customer: Group | undefined
  const apart = batch(async (requests: Write[]) => {
    try {
      const answers = await write(sql, requests, requests.length > 1 ? timeout : undefined, isRetry)
      shares.locked.delete(company)
      return answers
    } catch (error) {
      noteLock(shares, company, error)
      throw error
    }
  }, {
    name: 'write apart',
    inFlight: 1,
    maxRequests: maxRequestsPerBatch,
    isolates: error => isolates(error) || isCancelled(error),
    repeats: isLockTimeout,
    async delay (run) {
      await attemptSlowWrite(shares, company, Infinity, async (isLocked) => {
        isRetry = isLocked
        await run()
      }, customer)
    },
    patienceMs: Infinity,
    refuseAfterMs: maxWaitMs,
    deadlineOf,
    key: 'otherWrites'
  })
  return async (request) => {
    customer = request.customer
    return await apart(request)
  }
}

async function write (sql: Sql, requests: BatchRequest[], timeout?: number, isRetry = false): Promise<Row[][]> {
  const companies = companiesOf(requests)
  const callers = requests.flatMap(({ caller }) => caller ?? [])
  const users = [...new Set(requests.map(({ caller }) => caller?.user))]
  const [only] = users.length === 1 ? users : []
  const { statements, assignRows } = combined(users.length === 1 ? requests.map(request => ({ ...request, caller: undefined })) : requests)
  const locking = isRetry ? [lockWaits.short, lockCompanies(companies), lockWaits.usual] : [lockCompanies(companies)]
  const before = [...locking, ...checkCallers(callers), ...only === undefined ? [] : [actAs(only)]]
  const rowsOf = (results: Row[][]) => assignRows(results.slice(before.length))
  const follow = followUpsOf(requests, rowsOf)
  const results = await retrying(async () => await sql.within(companies, 'read write', [...before, ...statements], timeout, follow))
  commits.publish(companies)
  return rowsOf(results)
}

/** The companies that another session has locked now. After a lock timeout, a single company counts as locked. */
async function lockedOf (sql: Sql, companies: number[]): Promise<number[]> {
  if (companies.length === 1) return companies
  const rows = await sql.query({ text: 'select unnest(locked_companies($1::int[])) as company', values: [companies] })
  return rows.map(({ company }) => company)
}
