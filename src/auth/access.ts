import { retrying, type Row, type Sql } from '../database/sql.ts'
import type { Run } from '../database/transaction.ts'
import { batch, longestWait } from '../database/turn.ts'
import { type LevelInputs, sessionLives } from '../database/write-turn.ts'
import { httpError, type HttpError } from '../http/errors.ts'
import type { MessageKey } from '../http/messages.ts'
import type { Claims } from './claims.ts'

/** Levels of access (NIVELES_ACCESO): 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte, 6 Superusuario. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** What a business route does, and the levels that may do it. */
export const operations = {
  read: [1, 2, 3, 4, 5, 6],
  edit: [2, 3, 4, 6],
  delete: [3, 4, 6],
  /** To authorize, pay or reject an estimate. */
  decide: [3, 4, 6]
} as const satisfies Record<string, readonly Level[]>

/** An operation that a business route declares in its config. */
export type Operation = keyof typeof operations

/** What a route of the account management does, and the account levels that may do it; an active company has no part in it. */
export const accountOperations = {
  'accounts.read': [4, 5, 6],
  'accounts.manage': [4, 6],
  'customers.read': [5, 6],
  'customers.manage': [6]
} as const satisfies Record<string, readonly Level[]>

/** An operation on accounts that a route declares in its config. */
export type AccountOperation = keyof typeof accountOperations

/**
 * What a route asks of its caller:
 * - an operation on the active company's data, by the caller's level there
 * - an operation on accounts, by the account's own level
 * - `account`: to be logged in
 * - `refresh`: an access token that may be past its expiry
 * - `public`: nothing
 */
export type Access = Operation | AccountOperation | 'account' | 'refresh' | 'public'

/** Whether somebody of that level may do that. */
export function may (level: Level, operation: Operation): boolean {
  return (operations[operation] as readonly Level[]).includes(level)
}

/** Whether what a route asks for is an operation on accounts. */
export function isAccountOperation (access: Access): access is AccountOperation {
  return Object.hasOwn(accountOperations, access)
}

/** Whether an account of that level (null: none of its own) may do that. */
export function mayManage (level: number | null, operation: AccountOperation): boolean {
  return (accountOperations[operation] as readonly (number | null)[]).includes(level)
}

/** The level that a user has in a company, or null where the user may not be: account levels hold wherever they reach. */
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

/** What the database says, now, of a session. */
export interface State {
  user: number
  /** Neither revoked nor past its end, of an active user. */
  live: boolean
  /** Whether the user is active. */
  active: boolean
  /** The account's own level (4–6) or null, and the customer that the user belongs to. */
  account: number | null
  customer: number | null
  /** The user's active company, or the requested one, with the inputs of the level there; null without one. */
  company: (LevelInputs & { id: number, revision: number }) | null
}

/** The state turn: every request's session, user, level, company and revision, all that arrive together in one statement. */
export function readStates (sql: Sql): (sid: string) => Promise<State | undefined> {
  return batch(async (sids: string[]) => {
    const distinct = [...new Set(sids)]
    const statement = { name: 'states', text: statesIn('u.company_id'), values: [distinct] }
    const rows = await retrying(async () => await sql.query(statement), performance.now() + longestWait)
    const found = new Map(rows.map(row => [row['sid'] as string, stateOf(row)]))
    return sids.map(sid => found.get(sid))
  }, { name: 'state', inFlight: 1, most: 500 })
}

/** The state of a session within a transaction, for the given company, active or not. */
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
