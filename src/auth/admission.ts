import { levelIn, may, type Level, type Operation } from './access.ts'
import type { Sql } from '../database/sql.ts'
import { httpError, type HttpError } from '../http/errors.ts'
import type { MessageKey } from '../http/messages.ts'
import type { Claims } from './claims.ts'
import { readStateIn, type State } from './state.ts'

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
