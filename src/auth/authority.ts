import { LRUCache } from 'lru-cache'
import { retrying } from '../database/connection/postgres-sql.ts'
import type { Row, Sql } from '../database/connection/sql.ts'
import { batch } from '../database/turns/batch.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { httpError } from '../http/errors.ts'
import { isSameRevision } from '../http/representation.ts'
import { type Access, type AccountOperation, accountOperations, type Level, type Operation, operations } from './access.ts'
import { type End, sessionEnded } from './refusals.ts'
import { type LevelInputs, readStateIn, revisions, type State, stateOf, states } from './session-state.ts'

/** Whether a level allows an operation. */
export function may (level: Level, operation: Operation): boolean {
  return (operations[operation] as readonly Level[]).includes(level)
}

/** Whether a route declares an operation on accounts. */
export function isAccountOperation (access: Access): access is AccountOperation {
  return Object.hasOwn(accountOperations, access)
}

/** Whether an account level (null if the account has none) allows an operation on accounts. */
export function mayManage (level: number | null, operation: AccountOperation): level is number {
  return (accountOperations[operation] as readonly (number | null)[]).includes(level)
}

/** The level of a user in a company, or null without access. An account level applies to every company within its reach. */
export function levelIn ({ account, customer, companyCustomer, membership }: LevelInputs): Level | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership as Level | null
}

/** @returns the caller's company and level there @throws {HttpError} 403 without a company, or if the level is too low */
export function requireLevel ({ company }: State, operation: Operation): { company: NonNullable<State['company']>, level: Level } {
  const level = company === null ? null : levelIn(company)
  if (company === null || level === null) throw httpError(403, { code: 'no_active_company', key: 'noActiveCompany' })
  if (!may(level, operation)) throw httpError(403)
  return { company, level }
}

/** @returns the state of the user's live session, or why it ended; `revoked` for another user's session */
export function checkSession (state: State | undefined, user: number): { state: State } | { end: End } {
  if (state?.active === false) return { end: 'inactive' }
  return state?.live === true && state.user === user ? { state } : { end: 'revoked' }
}

/** @returns the state of the user's live session @throws {HttpError} 401 */
export function requireLive (state: State | undefined, user: number): State {
  const session = checkSession(state, user)
  if ('end' in session) throw sessionEnded(session.end)
  return session.state
}

/** Checks the session again after a wait. @throws {HttpError} 401 as {@link requireLive} */
export async function requireLiveCaller ({ query }: Sql, { user, sid }: { user: number, sid: string }): Promise<void> {
  requireLive(await readStateIn(query, sid, null), user)
}

/** Limit of sessions in memory, about 500 bytes each. */
const mostKept = 20_000

/** Seconds before its end from which a session is always read, because the clocks of process and database can differ. */
const margin = 60

/**
 * The state turn, for all requests that arrive together. It keeps states in memory. One statement reads the revisions of the kept ones, and
 * a second one reads the sessions that are not kept or whose authority revision has changed.
 */
export function readStates (sql: Sql): (sid: string) => Promise<State | undefined> {
  // With `max`, the cache would allocate its arrays for all sessions at start.
  const kept = new LRUCache<string, State>({ maxSize: mostKept, sizeCalculation: () => 1 })
  /** The authority revision of each bucket at the last read of one of its sessions. */
  const lastAuthorities = new Map<number, number>()

  async function query (name: string, text: string, values: unknown[]): Promise<Row[]> {
    return await retrying(async () => await sql.query({ name, text, values }), performance.now() + maxWaitMs)
  }

  /** The kept states whose authority revision is unchanged, with the present revisions of their companies. Forgets the others. */
  async function unchanged (sids: string[]): Promise<Map<string, State>> {
    const soon = Date.now() / 1000 + margin
    const known = sids.flatMap((sid) => {
      const state = kept.get(sid)
      return state !== undefined && state.expires > soon ? [{ sid, state }] : []
    })
    if (known.length === 0) return new Map()
    const [row] = await query('revisions', revisions, [known.map(({ state }) => state.bucket), known.map(({ state }) => state.company?.id ?? 0)])
    const { authorities, companies, stamps } = row as Record<string, number[]>
    return new Map(known.flatMap(({ sid, state }, index) => {
      if (authorities?.[index] !== state.authority) {
        kept.delete(sid)
        return []
      }
      const { company } = state
      const present = { revision: companies?.[index], stamp: stamps?.[index] }
      // Waiting requests of a session share its state.
      if (company === null || isSameRevision(company, present)) return [[sid, state]]
      const changed = { ...state, company: { ...company, ...present } }
      kept.set(sid, changed)
      return [[sid, changed]]
    }))
  }

  /** Reads sessions. Keeps a state if its bucket has not changed since the last read, so that frequent changes cost only this read. */
  async function read (sids: string[]): Promise<Map<string, State>> {
    if (sids.length === 0) return new Map()
    const found = new Map((await query('states', states, [sids])).map(row => [row['sid'] as string, stateOf(row)]))
    for (const [sid, state] of found) {
      if (state.live && lastAuthorities.get(state.bucket) === state.authority) kept.set(sid, state)
      lastAuthorities.set(state.bucket, state.authority)
    }
    return found
  }

  return batch(async (sids: string[]) => {
    const distinct = [...new Set(sids)]
    const same = await unchanged(distinct)
    const fresh = await read(distinct.filter(sid => !same.has(sid)))
    return sids.map(sid => same.get(sid) ?? fresh.get(sid))
  }, { name: 'state', inFlight: 1, maxRequests: 500 })
}
