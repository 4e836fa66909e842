import { httpError, type HttpError } from '../http/errors.ts'
import type { MessageKey } from '../http/messages.ts'
import type { Claims } from './claims.ts'

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
