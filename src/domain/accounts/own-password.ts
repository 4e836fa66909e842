import type { FastifyRequest } from 'fastify'
import { sessionLives } from '../../auth/authority.ts'
import type { Sql } from '../../database/connection/sql.ts'
import { actAs } from '../../database/turns/batch-requests.ts'
import { limitHashing } from '../../limits/hashing.ts'
import type { Input, WriteRequest } from '../../resources/declaration/input.ts'
import { verifyPassword } from '../../auth/passwords.ts'
import { recordId } from '../../resources/validation/convert.ts'

/** The stored hash of a user's password, and the email under which wrong guesses count. */
interface OwnPassword {
  email: string
  encoded: string
}

/** Reads the stored hash of a user's password. */
export async function ownPassword (sql: Sql, user: number): Promise<OwnPassword> {
  const [{ email, encoded }] = await sql.query({
    name: 'own password', text: 'select email, password as encoded from users where id = $1::int', values: [user]
  })
  return { email, encoded }
}

/** Verifies the caller's password. A wrong one counts as a failed log-in. @throws {HttpError} 429 */
export async function provesPassword (request: FastifyRequest, { email, encoded }: OwnPassword, password: string): Promise<boolean> {
  return await request.server.throttleLogIn(
    request, email, async () => await limitHashing(request, async () => await verifyPassword(encoded, password)) || undefined
  ) === true
}

/**
 * Requires `current_password` from callers who set their own password in `users/`, so that a stolen session cannot take over the account.
 * @param input receives the problems of that field
 * @returns the hash that verified the password, or undefined if none was verified
 * @throws {HttpError} 429
 */
export async function proveOwnPassword (request: WriteRequest, input: Pick<Input, 'problems'>): Promise<string | undefined> {
  const field = 'current_password'
  const { password, [field]: current } = request.body
  const isOwn = recordId(request.params.id) === request.caller.user
  if (input.problems.some(problem => problem.field === field)) return undefined
  if (!isOwn || password === undefined) {
    if (current !== undefined) input.problems.push({ field, key: 'currentPasswordUnused' })
    return undefined
  }
  if (typeof current !== 'string') {
    input.problems.push({ field, key: 'required' })
    return undefined
  }
  const stored = await ownPassword(request.server.database.lone, request.caller.user)
  if (await provesPassword(request, stored, current)) return stored.encoded
  input.problems.push({ field, key: 'wrongPassword' })
  return undefined
}

/**
 * Replaces the verified password and ends the user's other sessions.
 * @param encoded the hash of the new password
 * @returns false if the password has changed since it was verified, or if the session has ended
 */
export async function changeOwnPassword (
  sql: Sql, { user, sid }: { user: number, sid: string }, verified: OwnPassword, encoded: string
): Promise<boolean> {
  // The second statement runs with the user's row locked. So a log-in with the old password has opened its session already, or fails.
  const [, changed] = await sql.within([], 'read write', [
    actAs(user),
    {
      name: 'change own password',
      text: `
        update users u set password = $1 from sessions s
        where u.id = $2::int and u.password = $3 and s.id = $4::uuid and s.user_id = u.id and ${sessionLives} returning u.id`,
      values: [encoded, user, verified.encoded, sid]
    },
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
