import { LRUCache } from 'lru-cache'
import { retrying } from '../database/connection/postgres-sql.ts'
import type { Row, Sql, Statement } from '../database/connection/sql.ts'
import { batch } from '../database/turns/batch.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { httpError } from '../http/errors.ts'
import { isSameRevision } from '../http/representation.ts'
import { type Access, type AccountOperation, accountOperations, type Level, type Operation, operations } from './access.ts'
import { type End, sessionEnded } from './refusals.ts'

/** The values that determine a user's level in a company. */
interface LevelInputs {
  /** The account's own level (4–6) or null. */
  account: number | null
  /** The customer that the user belongs to. */
  customer: number | null
  /** The customer that owns the company. */
  companyCustomer: number
  /** The level of the user's membership in the company, or null. */
  membership: Level | null
}

/** The current state of a session in the database. */
export interface State {
  user: number
  /** The session is neither revoked nor expired, and its user is active. */
  live: boolean
  /** End of the session, in seconds since 1970. */
  expires: number
  /** Whether the user is active. */
  active: boolean
  /** The account's own level (4–6) or null, and the customer that the user belongs to. */
  account: number | null
  customer: number | null
  /**
   * The user's bucket and its authority revision. While it is unchanged, only the company's revision with its stamp, and the expiry, can
   * change the state.
   */
  bucket: number
  authority: number
  /** The user's active company, or the requested one, with its time zone, and the inputs of the level there; null without one. */
  company: (LevelInputs & { id: number, zone: string, revision: number, stamp: number }) | null
}

/** Whether a level allows an operation. */
export function may (level: Level, operation: Operation): boolean {
  const levels: readonly Level[] = operations[operation]
  return levels.includes(level)
}

/** Whether a route declares an operation on accounts. */
export function isAccountOperation (access: Access): access is AccountOperation {
  return Object.hasOwn(accountOperations, access)
}

/** Whether an account level (null if the account has none) allows an operation on accounts. */
export function mayManage (level: number | null, operation: AccountOperation): level is number {
  const levels: ReadonlyArray<number | null> = accountOperations[operation]
  return levels.includes(level)
}

/** The level of a user in a company, or null without access. An account level applies to every company within its reach. */
export function levelIn ({ account, customer, companyCustomer, membership }: LevelInputs): Level | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership
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

/** The statement that reads the revisions of buckets ($1), and the revisions and stamps of companies ($2), in their order. */
const revisions = `
  select array(select coalesce((select revision from authority_revisions where bucket = b), 0) from unnest($1::int[]) b) as authorities,
    companies, stamps
  from (
    select array_agg(coalesce(r.revision, 0) order by q.i) as companies, array_agg(coalesce(r.stamp, 0) order by q.i) as stamps
    from unnest($2::int[]) with ordinality q (company, i) left join company_revisions r on r.company_id = q.company) n`

/** The row of {@link revisions}. */
type Revisions = Record<'authorities' | 'companies' | 'stamps', number[]>

/** SQL condition on `sessions s` and `users u`: the session is neither revoked nor expired and its user is active. */
export const sessionLives = 's.revoked_at is null and s.expires_at > clock_timestamp() and u.activo'

const statesIn = (company: string) => `
  select s.id as sid, s.user_id as user, ${sessionLives} as live, extract(epoch from s.expires_at)::float8 as expires, u.activo as active,
    u.id % 256 as bucket, coalesce(a.revision, 0) as authority, c.id as company, c.zona_horaria as zone, r.revision, r.stamp,
    u.nivel_acceso as account, u.customer_id as customer, c.customer_id as company_customer, m.nivel_acceso as membership
  from unnest($1::uuid[]) as q (sid)
  join sessions s on s.id = q.sid
  join users u on u.id = s.user_id
  left join authority_revisions a on a.bucket = u.id % 256
  left join companies c on c.id = ${company}
  left join company_revisions r on r.company_id = c.id
  left join memberships m on m.user_id = u.id and m.company_id = c.id`

/** The statement that reads the states of sessions ($1). */
const states = statesIn('u.company_id')

const stateInCompany = statesIn('$2::int')

/** The statement that reads the state of a session for the given company. */
export function stateStatement (sid: string, company: number | null): Statement {
  return { name: 'state in company', text: stateInCompany, values: [[sid], company] }
}

/** Reads the state of a session for the given company. */
async function readStateIn (run: Sql['query'], sid: string, company: number | null): Promise<State | undefined> {
  return stateIn(await run(stateStatement(sid, company)))
}

/** The state in the rows of {@link stateStatement}. */
export function stateIn ([row]: Row[]): State | undefined {
  return row === undefined ? undefined : stateOf(row)
}

/** The state in a row of {@link states}. */
function stateOf (row: Row): State {
  const { company: id, zone, revision, stamp, company_customer: companyCustomer, membership } = row
  const { user, live, expires, active, account, customer, bucket, authority } = row
  const company = id === null ? null : { id, zone, revision, stamp, account, customer, companyCustomer, membership }
  return { user, live, expires, active, account, customer, bucket, authority, company }
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

  async function query<R extends object> (name: string, text: string, values: unknown[]): Promise<R[]> {
    return await retrying(async () => await sql.query<R>({ name, text, values }), performance.now() + maxWaitMs)
  }

  /** The kept states whose authority revision is unchanged, with the present revisions of their companies. Forgets the others. */
  async function unchanged (sids: string[]): Promise<Map<string, State>> {
    const soon = Date.now() / 1000 + margin
    const known: Array<[sid: string, state: State]> = []
    const buckets: number[] = []
    const ids: number[] = []
    for (const sid of sids) {
      const state = kept.get(sid)
      if (state === undefined || state.expires <= soon) continue
      known.push([sid, state])
      buckets.push(state.bucket)
      ids.push(state.company?.id ?? 0)
    }
    const same = new Map<string, State>()
    if (known.length === 0) return same
    const [row] = await query<Revisions>('revisions', revisions, [buckets, ids])
    const { authorities, companies, stamps } = row
    for (const [index, [sid, state]] of known.entries()) {
      if (authorities?.[index] !== state.authority) {
        kept.delete(sid)
        continue
      }
      const { company } = state
      const present = { revision: companies?.[index], stamp: stamps?.[index] }
      // Waiting requests of a session share its state.
      const current = company === null || isSameRevision(company, present) ? state : { ...state, company: { ...company, ...present } }
      if (current !== state) kept.set(sid, current)
      same.set(sid, current)
    }
    return same
  }

  /** Reads sessions. Keeps a state if its bucket has not changed since the last read, so that frequent changes cost only this read. */
  async function read (sids: string[]): Promise<Map<string, State>> {
    if (sids.length === 0) return new Map()
    const rows = await query<Row & { sid: string }>('states', states, [sids])
    const found = new Map(rows.map(row => [row.sid, stateOf(row)]))
    for (const [sid, state] of found) {
      if (state.live && lastAuthorities.get(state.bucket) === state.authority) kept.set(sid, state)
      lastAuthorities.set(state.bucket, state.authority)
    }
    return found
  }

  return batch(async function statesOf (sids: string[]) {
    const distinct = [...new Set(sids)]
    const same = await unchanged(distinct)
    const fresh = await read(distinct.filter(sid => !same.has(sid)))
    return sids.map(sid => same.get(sid) ?? fresh.get(sid))
  }, { name: 'state', inFlight: 1, maxRequests: 500 })
}
