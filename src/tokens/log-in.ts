import type { Sql } from '../database/sql.ts'
import { hashPassword, isDjangoHash, verifyNobody, verifyPassword } from './passwords.ts'

/**
 * Finds whose email and password these are. Whatever is wrong (no such email, wrong password, inactive user), it is found
 * out in the same time: a refusal costs one argon2id verification and, as long as any account still has one of Django's
 * hashes, one PBKDF2 with as many iterations.
 * @returns the user's id, or undefined
 */
export async function logIn (sql: Sql, email: string, password: string): Promise<number | undefined> {
  const [found] = await sql.query({
    name: 'log in',
    text: `
      select u.id, u.password, u.activo, legacy.password as legacy
      from (select $1::text as email) q
      left join users u on u.email = q.email
      left join lateral (select password from users where password like 'pbkdf2_sha256$%' limit 1) legacy on true`,
    values: [email.toLowerCase()]
  })
  const { id, password: encoded, activo, legacy } = found as { id: number | null, password: string | null, activo: boolean | null, legacy: string | null }

  const django = encoded !== null && isDjangoHash(encoded)
  const matches = encoded === null ? await verifyNobody(password) : await verifyPassword(encoded, password)
  if (!matches || id === null || activo !== true) {
    if (django) await verifyNobody(password)
    else if (legacy !== null) await verifyPassword(legacy, password)
    return undefined
  }
  if (django) {
    await sql.query({
      name: 'replace password hash',
      text: 'update users set password = $1 where id = $2 and password = $3',
      values: [await hashPassword(password), id, encoded]
    })
  }
  return id
}
