import { retrying, type Row, type Sql } from '../database/sql.ts'
import type { Run } from '../database/transaction.ts'
import { batch, longestWait } from '../database/turn.ts'
import { type LevelInputs, sessionLives } from '../database/write-turn.ts'
import { httpError, type HttpError } from '../http/errors.ts'
import type { MessageKey } from '../http/messages.ts'
import type { Claims } from './claims.ts'

/** Access levels (NIVELES_ACCESO): 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte, 6 Superusuario. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** Operations on the active company's data, with the levels that are allowed to do them. */
export const operations = {
  read: [1, 2, 3, 4, 5, 6],
  edit: [2, 3, 4, 6],
  delete: [3, 4, 6],
  /** Authorize, pay or reject an estimate. */
  decide: [3, 4, 6]
} as const satisfies Record<string, readonly Level[]>

/** An operation that a business route declares in its config. */
export type Operation = keyof typeof operations

/** Operations on accounts, with the account levels that are allowed to do them. They need no active company. */
export const accountOperations = {
  'accounts.read': [4, 5, 6],
  'accounts.manage': [4, 6],
  'customers.read': [5, 6],
  'customers.manage': [6]
} as const satisfies Record<string, readonly Level[]>

/** An operation on accounts that a route declares in its config. */
export type AccountOperation = keyof typeof accountOperations

/**
 * What a route requires of its caller:
 * - an operation on the active company's data: the caller's level in that company
 * - an operation on accounts: the account's own level
 * - `account`: a live session
 * - `refresh`: a live session, and an access token that may be expired
 * - `public`: nothing
 */
export type Access = Operation | AccountOperation | 'account' | 'refresh' | 'public'

/** Whether a level allows an operation. */
export function may (level: Level, operation: Operation): boolean {
  return (operations[operation] as readonly Level[]).includes(level)
}

/** Whether a route declares an operation on accounts. */
export function isAccountOperation (access: Access): access is AccountOperation {
  return Object.hasOwn(accountOperations, access)
}

/** Whether an account level (null if the account has none) allows an operation on accounts. */
export function mayManage (level: number | null, operation: AccountOperation): boolean {
  return (accountOperations[operation] as readonly (number | null)[]).includes(level)
}

/** The level of a user in a company, or null without access. An account level applies to every company within its reach. */
export function levelIn ({ account, customer, companyCustomer, membership }: LevelInputs): Level | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership as Level | null
}

/** The 401 for a refused access token. */
export function tokenRefused (key: MessageKey): HttpError {
  return httpError(401, {
    code: 'token_not_valid',
    key: 'tokenNotValid',
    extra: say => ({ messages: [{ token_class: 'AccessToken', token_type: 'access' satisfies Claims['token_type'], message: say(key) }] })
  })
}

/** Why a session ended: revoked or expired, or its user deactivated. */
export type End = 'revoked' | 'inactive'

/** The 401 for an access token of an ended session. */
export function sessionEnded (end: End): HttpError {
  return end === 'inactive' ? httpError(401, { code: 'user_inactive', key: 'userInactive' }) : tokenRefused('tokenRevoked')
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

/** @returns the caller's company and level there @throws {HttpError} 403 without a company, or if the level is too low */
export function requireLevel ({ company }: State, operation: Operation): { company: NonNullable<State['company']>, level: Level } {
  const level = company === null ? null : levelIn(company)
  if (company === null || level === null) throw httpError(403, { code: 'no_active_company', key: 'noActiveCompany' })
  if (!may(level, operation)) throw httpError(403)
  return { company, level }
}

/** The current state of a session in the database. */
export interface State {
  user: number
  /** The session is neither revoked nor expired, and its user is active. */
  live: boolean
  /** Whether the user is active. */
  active: boolean
  /** The account's own level (4–6) or null, and the customer that the user belongs to. */
  account: number | null
  customer: number | null
  /** The user's active company, or the requested one, with the inputs of the level there; null without one. */
  company: (LevelInputs & { id: number, revision: number }) | null
}

/** The state turn: reads session, user, level, company and revision of all requests that arrive together in one statement. */
export function readStates (sql: Sql): (sid: string) => Promise<State | undefined> {
  return batch(async (sids: string[]) => {
    const distinct = [...new Set(sids)]
    const statement = { name: 'states', text: statesIn('u.company_id'), values: [distinct] }
    const rows = await retrying(async () => await sql.query(statement), performance.now() + longestWait)
    const found = new Map(rows.map(row => [row['sid'] as string, stateOf(row)]))
    return sids.map(sid => found.get(sid))
  }, { name: 'state', inFlight: 1, most: 500 })
}

/** Reads the state of a session in a transaction, for the given company. */
export async function readStateIn (run: Run, sid: string, company: number | null): Promise<State | undefined> {
  const [row] = await run({ text: statesIn('$2::int'), values: [[sid], company] })
  return row === undefined ? undefined : stateOf(row)
}

function stateOf (row: Row): State {
  const company = row['company'] === null
    ? null
    : { id: row['company'], revision: row['revision'], account: row['account'], customer: row['customer'], companyCustomer: row['company_customer'], membership: row['membership'] }
  return { user: row['user'], live: row['live'], active: row['active'], account: row['account'], customer: row['customer'], company }
}

const statesIn = (company: string) => `
  select s.id as sid, s.user_id as user, ${sessionLives} as live, u.activo as active,
    c.id as company, r.revision, u.nivel_acceso as account, u.customer_id as customer, c.customer_id as company_customer, m.nivel_acceso as membership
  from unnest($1::uuid[]) as q (sid)
  join sessions s on s.id = q.sid
  join users u on u.id = s.user_id
  left join companies c on c.id = ${company}
  left join company_revisions r on r.company_id = c.id
  left join memberships m on m.user_id = u.id and m.company_id = c.id`
