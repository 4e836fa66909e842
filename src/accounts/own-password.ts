import type { Sql } from '../database/sql.ts'
import { hashPassword, verifyPassword } from '../tokens/passwords.ts'

/** Somebody's own password as it is kept, and the email that failed guesses of it count under. */
export interface OwnPassword {
  email: string
  encoded: string
}

/** What is kept of a user's password. */
export async function ownPassword (sql: Sql, user: number): Promise<OwnPassword> {
  const [row] = await sql.query({ name: 'own password', text: 'select email, password as encoded from users where id = $1::int', values: [user] })
  return row as OwnPassword
}

/** Whether that is the password. */
export async function isOwnPassword ({ encoded }: OwnPassword, password: string): Promise<boolean> {
  return await verifyPassword(encoded, password)
}

/**
 * Puts a new password in the place of the one that was verified, and ends the user's sessions apart from that one.
 * @returns false when the verified one is no longer the present one
 */
export async function changeOwnPassword (sql: Sql, user: number, sid: string, verified: OwnPassword, password: string): Promise<boolean> {
  const encoded = await hashPassword(password)
  // The second statement looks after the first has had the user's row: a log-in by the old password has opened its session or never will.
  const [changed] = await sql.within([], 'read write', [
    { name: 'change own password', text: 'update users set password = $1 where id = $2::int and password = $3 returning id', values: [encoded, user, verified.encoded] },
    {
      name: 'end other sessions',
      text: `
        update sessions s set revoked_at = clock_timestamp() from users u
        where u.id = $1::int and u.password = $2 and s.user_id = u.id and s.id <> $3::uuid and s.revoked_at is null`,
      values: [user, encoded, sid]
    }
  ])
  return changed?.length === 1
}
