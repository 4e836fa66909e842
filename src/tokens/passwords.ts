import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'

/** argon2id with the parameters that OWASP's Password Storage Cheat Sheet names first: 19 MiB, 2 passes, 1 lane. */
export async function hashPassword (password: string): Promise<string> {
  return await hash(password, { memoryCost: 19456, timeCost: 2, parallelism: 1 })
}

/** Whether a hash is one of Django's, to be replaced at the next log-in. */
export function isDjangoHash (encoded: string): boolean {
  return encoded.startsWith('pbkdf2_sha256$')
}

/** Whether the password is the one that was hashed, by argon2id or by Django's `pbkdf2_sha256$iterations$salt$base64`. */
export async function verifyPassword (encoded: string, password: string): Promise<boolean> {
  if (!isDjangoHash(encoded)) return await verify(encoded, password)
  const [, iterations, salt, digest] = encoded.split('$') as [string, string, string, string]
  const expected = Buffer.from(digest, 'base64')
  const computed = await promisify(pbkdf2)(password, salt, Number(iterations), expected.length, 'sha256')
  return timingSafeEqual(computed, expected)
}

let decoy: Promise<string> | undefined

/** Costs what a verification costs and is never true: for accounts that are not there. */
export async function verifyNobody (password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await verify(await decoy, password)
  return false
}
