import type { Sql } from '../database/connection/sql.ts'
import { Crowded } from '../database/turns/crowded.ts'
import { hashPassword, isDjangoHash, isForeign, iterationsOf, spendIterations, verifyNobody, verifyPassword } from './passwords.ts'

/** A user who proved the password, and its stored hash. */
export interface Proven {
  user: number
  password: string
}

/** Runs work that computes password hashes. */
type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** What the database has for an email address: nulls without a user. */
interface Credentials {
  id: number | null
  password: string | null
  activo: boolean | null
  /** The highest iteration count of all Django hashes. */
  legacy: number | null
}

/**
 * Finds the user with this email and password. Every refusal (unknown email, wrong password, inactive user) takes the same time: one
 * argon2id verification and, while any account has a Django hash, as many PBKDF2 iterations as the most expensive of them. The exception is
 * an account with an argon2id hash of another cost, until its next log-in.
 * @param email in the form of accounts
 * @param limit runs work that computes hashes, within the limits on hashing
 * @returns undefined if the log-in is refused
 */
export async function logIn (sql: Sql, email: string, password: string, limit: Limit): Promise<Proven | undefined> {
  const [found] = await sql.query<Credentials>({
    name: 'log in',
    text: `
      select u.id, u.password, u.activo, legacy.iterations as legacy
      from (select $1::text as email) q
      left join users u on u.email = q.email
      cross join (select max(split_part(password, '$', 2)::int) as iterations from users where password like 'pbkdf2_sha256$%') legacy`,
    values: [email]
  })
  // One wait for all hashes of a log-in. The number of waits would show the reason for a refusal.
  const proven = await limit(async () => await proves(found, password))
  const { id, password: encoded } = found
  if (!proven || id === null || encoded === null) return undefined
  if (!isForeign(encoded)) return { user: id, password: encoded }
  const replacement = await limit(async () => await hashPassword(password)).catch((error: unknown) => {
    if (error instanceof Crowded) return undefined // the next log-in replaces the hash
    throw error
  })
  if (replacement === undefined) return { user: id, password: encoded }
  const replaced = await sql.query({
    name: 'replace password hash',
    text: `
      update users set password = $1
      where id = $2 and password = $3 and set_config('app.user', $2::int::text, true) <> '' returning id`,
    values: [replacement, id, encoded]
  })
  // Another log-in has replaced the hash, or the password has changed: check against the stored one.
  return replaced.length === 1 ? { user: id, password: replacement } : await logIn(sql, email, password, limit)
}

async function proves ({ id, password: encoded, activo, legacy }: Credentials, password: string): Promise<boolean> {
  const django = encoded !== null && isDjangoHash(encoded)
  const matches = encoded === null ? await verifyNobody(password) : await verifyPassword(encoded, password)
  if (matches && id !== null && activo === true) return true
  if (django) await verifyNobody(password)
  const missing = (legacy ?? 0) - (django ? iterationsOf(encoded) : 0)
  if (missing > 0) await spendIterations(password, missing)
  return false
}
