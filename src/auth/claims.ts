import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Lifetimes in seconds. The specification sets those of the tokens. */
export const lifetimes = { access: 60 * 60, refresh: 7 * 24 * 60 * 60, session: 90 * 24 * 60 * 60 } as const

/** Seconds after a rotation in which the spent refresh token gets the same successor even if that is used, for two open tabs. */
export const grace = 30

/** Seconds by which a token can come from the future, because the clocks of processes differ. */
export const clockTolerance = 10

/** The two kinds of tokens. */
export type TokenType = 'access' | 'refresh'

/** Claims of a token. Times are seconds since 1970. */
export interface Claims {
  token_type: TokenType
  exp: number
  iat: number
  /** 32 hexadecimal digits. */
  jti: string
  user_id: number
  /** The session's id. */
  sid: string
}

/** Claims of a new token. */
export function claimsOf (type: TokenType, user: number, sid: string, jti: string, at: Date): Claims {
  const iat = Math.floor(at.getTime() / 1000)
  return { token_type: type, exp: iat + lifetimes[type], iat, jti, user_id: user, sid }
}

/** Id of a new token: 128 random bits. */
export function newTokenId (): string {
  return randomBytes(16).toString('hex')
}

/** Whether the payload of a verified token has all claims in the right form. `now` is in seconds since 1970. */
export function areClaims (payload: Partial<Record<keyof Claims, unknown>>, now: number): boolean {
  const { token_type: type, exp, iat, jti, user_id: user, sid } = payload
  return (type === 'access' || type === 'refresh') &&
    isInteger(exp) && isInteger(iat) && iat <= now + clockTolerance && exp - iat <= lifetimes[type] &&
    typeof jti === 'string' && /^[0-9a-f]{32}$/.test(jti) &&
    isInteger(user) && typeof sid === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(sid)
}

/**
 * Derives the id of a token's successor. So a refresh token that is presented twice within the grace period gets the same successor,
 * although the database stores only hashes.
 */
export function successorId (secret: string, jti: string, type: TokenType): string {
  return createHmac('sha256', secret).update(`${type}:${jti}`).digest('hex').slice(0, 32)
}

/** The hash of a refresh token that the database stores. */
export function tokenHash (jti: string): Buffer {
  return createHash('sha256').update(jti).digest()
}

function isInteger (value: unknown): value is number {
  return Number.isSafeInteger(value)
}
