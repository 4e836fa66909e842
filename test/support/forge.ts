import { createHmac } from 'node:crypto'
import { secret } from './helper.ts'

/** What a token carries, whoever signed it. */
export type Payload = Record<string, unknown>

function part (value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The header and the payload of a token, unverified. */
export function decode (token: string): { header: Payload, claims: Payload } {
  const [header, claims] = token.split('.').slice(0, 2).map(text => JSON.parse(Buffer.from(text, 'base64url').toString()))
  return { header, claims }
}

/** The session id of a token, unverified. */
export function sidOf (token: string): string {
  return decode(token).claims['sid'] as string
}

/** Whether HMAC-SHA256 with the key's UTF-8 bytes is what the token is signed with, by Node's own crypto. */
export function isSignedWith (token: string, key: string): boolean {
  const [header, claims, signature] = token.split('.')
  return createHmac('sha256', Buffer.from(key, 'utf8')).update(`${header}.${claims}`).digest('base64url') === signature
}

/** A token that says what the test wants, signed with what the test wants. */
export function forge (claims: unknown, { key = secret, header = { alg: 'HS256', typ: 'JWT' }, hash = 'sha256' }: { key?: string, header?: Payload, hash?: string } = {}): string {
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** The same token with some claims changed (`undefined` leaves one out), signed with the tests' key. */
export function altered (token: string, changes: Payload): string {
  return forge({ ...decode(token).claims, ...changes })
}

/** The same token a second past its end. */
export function expired (token: string): string {
  const now = Math.floor(Date.now() / 1000)
  return altered(token, { iat: now - 3601, exp: now - 1 })
}
