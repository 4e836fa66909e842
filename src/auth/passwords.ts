import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, hashRaw, verify } from '@node-rs/argon2'

// The parameters that OWASP's Password Storage Cheat Sheet names first: 19 MiB, 2 passes, 1 lane.
const cost = { memoryCost: 19456, timeCost: 2, parallelism: 1 }

/** A password by argon2id, in PHC form. */
export async function hashPassword (password: string): Promise<string> {
  return await hash(password, cost)
}

/** A digest of what a password is in, as costly to guess by as a password's hash; the same for the same `name`. */
export async function slowDigest (digest: Buffer, name: string): Promise<Buffer> {
  return await hashRaw(digest, { ...cost, salt: createHash('sha256').update(name).digest() })
}

/** Whether a hash was made elsewhere or at another cost: it is replaced at the next log-in. */
export function isForeign (encoded: string): boolean {
  return !encoded.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`)
}

/** Whether a hash is one of Django's by PBKDF2. */
export function isDjangoHash (encoded: string): boolean {
  return encoded.startsWith('pbkdf2_sha256$')
}

/** The iterations of a hash of Django's. */
export function iterationsOf (encoded: string): number {
  return Number(encoded.split('$')[1])
}

/**
 * Whether the password is the one that was hashed, by argon2id or by Django's `pbkdf2_sha256$iterations$salt$base64`. What is
 * neither, such as Django's `!…` of an account without a password, is nobody's.
 */
export async function verifyPassword (encoded: string, password: string): Promise<boolean> {
  if (encoded.startsWith('$argon2')) return await verify(encoded, password)
  if (!isDjangoHash(encoded)) return await verifyNobody(password)
  const [, , salt, digest] = encoded.split('$') as [string, string, string, string]
  const expected = Buffer.from(digest, 'base64')
  const computed = await promisify(pbkdf2)(password, salt, iterationsOf(encoded), expected.length, 'sha256')
  return timingSafeEqual(computed, expected)
}

// The hash of no password that anybody knows.
const nobody = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Costs what a verification costs and is never true: for accounts that are not there. */
export async function verifyNobody (password: string): Promise<false> {
  await verify(nobody, password)
  return false
}

/** Costs what verifying a hash of Django's with so many iterations costs. */
export async function spendIterations (password: string, iterations: number): Promise<void> {
  await promisify(pbkdf2)(password, 'salt', iterations, 32, 'sha256')
}
