import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, hashRaw, verify } from '@node-rs/argon2'

// First recommendation of OWASP's Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
const cost = { memoryCost: 19456, timeCost: 2, parallelism: 1 }

/** Hashes a password with argon2id. @returns the hash in PHC format */
export async function hashPassword (password: string): Promise<string> {
  return await hash(password, cost)
}

/** Hashes a digest that contains a password at the cost of a password hash. The same digest and name give the same result. */
export async function slowDigest (digest: Buffer, name: string): Promise<Buffer> {
  return await hashRaw(digest, { ...cost, salt: createHash('sha256').update(name).digest() })
}

/** Whether a hash has another algorithm or cost. The next log-in replaces it. */
export function isForeign (encoded: string): boolean {
  return !encoded.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`)
}

/** Whether a hash is a PBKDF2 hash of Django. */
export function isDjangoHash (encoded: string): boolean {
  return encoded.startsWith('pbkdf2_sha256$')
}

/** The iterations of a Django hash. */
export function iterationsOf (encoded: string): number {
  return Number(encoded.split('$')[1])
}

/**
 * Verifies a password against an argon2id hash or Django's `pbkdf2_sha256$iterations$salt$base64`. Any other hash, such as Django's `!…`
 * for an account without a password, never matches.
 */
export async function verifyPassword (encoded: string, password: string): Promise<boolean> {
  if (encoded.startsWith('$argon2')) return await verify(encoded, password)
  if (!isDjangoHash(encoded)) return await verifyNobody(password)
  const [, , salt, digest] = encoded.split('$')
  const expected = Buffer.from(digest, 'base64')
  const computed = await promisify(pbkdf2)(password, salt, iterationsOf(encoded), expected.length, 'sha256')
  return timingSafeEqual(computed, expected)
}

// A hash that matches no known password.
const nobody = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Takes as long as a verification and is always false. For unknown accounts. */
export async function verifyNobody (password: string): Promise<false> {
  await verify(nobody, password)
  return false
}

/** Takes as long as verifying a Django hash with this many iterations. */
export async function spendIterations (password: string, iterations: number): Promise<void> {
  await promisify(pbkdf2)(password, 'salt', iterations, 32, 'sha256')
}
