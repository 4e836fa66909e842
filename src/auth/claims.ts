import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Lifetimes in seconds. The first two are the specification's. */
export const lifetimes = { access: 60 * 60, refresh: 7 * 24 * 60 * 60, session: 90 * 24 * 60 * 60 } as const

/** How long after its rotation a spent refresh token still gets the same successor, in seconds: lost answers, two tabs. */
export const grace = 30

/** The two kinds of tokens. */
export type TokenType = 'access' | 'refresh'

/** What a token says. Times are seconds since 1970. */
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

/** The claims of a new token. */
export function claimsOf (type: TokenType, user: number, sid: string, jti: string, at: Date): Claims {
  const iat = Math.floor(at.getTime() / 1000)
  return { token_type: type, exp: iat + lifetimes[type], iat, jti, user_id: user, sid }
}

/** A new token's id: 128 random bits. */
export function newTokenId (): string {
  return randomBytes(16).toString('hex')
}

/** Whether a verified token's payload is one of ours, whole. */
export function areClaims (payload: Record<string, unknown>, now: number): boolean {
  const { token_type: type, exp, iat, jti, user_id: user, sid } = payload
  return (type === 'access' || type === 'refresh') &&
    Number.isSafeInteger(exp) && Number.isSafeInteger(iat) && (iat as number) <= now && (exp as number) - (iat as number) <= lifetimes[type] &&
    typeof jti === 'string' && /^[0-9a-f]{32}$/.test(jti) &&
    Number.isSafeInteger(user) && typeof sid === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(sid)
}

/**
 * The id of the token that follows another: derived, so that a refresh token presented twice within the grace gets the same
 * successor although the database keeps hashes alone.
 */
export function successorId (secret: string, jti: string, type: TokenType): string {
  return createHmac('sha256', secret).update(`${type}:${jti}`).digest('hex').slice(0, 32)
}

/** What the database keeps of a refresh token. */
export function tokenHash (jti: string): Buffer {
  return createHash('sha256').update(jti).digest()
}
