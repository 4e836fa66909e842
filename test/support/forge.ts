import { createHmac } from 'node:crypto'
import { secret } from './helper.ts'

/** Header or claims of a token. */
export type Payload = Record<string, unknown>

function part (value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Decodes a token without verifying it. */
export function decode (token: string): { header: Payload, claims: Payload } {
  const [header, claims] = token.split('.').slice(0, 2).map(text => JSON.parse(Buffer.from(text, 'base64url').toString()))
  return { header, claims }
}

/** The session id of a token, without verifying it. */
export function sidOf (token: string): string {
  return decode(token).claims['sid'] as string
}

/** Whether the token's signature is HMAC-SHA256 with the key's UTF-8 bytes, computed with Node's crypto. */
export function isSignedWith (token: string, key: string): boolean {
  const [header, claims, signature] = token.split('.')
  return createHmac('sha256', Buffer.from(key, 'utf8')).update(`${header}.${claims}`).digest('base64url') === signature
}

/** Makes a token with any claims, header, key and hash. */
export function forge (claims: unknown, { key = secret, header = { alg: 'HS256', typ: 'JWT' }, hash = 'sha256' }: { key?: string, header?: Payload, hash?: string } = {}): string {
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** The token with changed claims (`undefined` removes one), signed with the tests' key. */
export function altered (token: string, changes: Payload): string {
  return forge({ ...decode(token).claims, ...changes })
}

/** The token, one second after its expiry. */
export function expired (token: string): string {
  const now = Math.floor(Date.now() / 1000)
  return altered(token, { iat: now - 3601, exp: now - 1 })
}
