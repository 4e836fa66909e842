import type { Level } from '../../auth/access.ts'
import { levelIn, sessionLives } from '../../auth/authority.ts'
import type { Sql } from '../../database/connection/sql.ts'

/** A company that a user can make active, with the user's level there. */
interface Reachable {
  id: number
  nombre: string
  nivel_acceso: Level
}

/** The user's own account. */
interface Me {
  id: number
  email: string
  nombre: string
  /** Level in the active company, otherwise the account's own level; null without either. */
  nivel_acceso: Level | null
  /** The active company, or null if there is none that the user can enter. */
  company: number | null
  companies: Reachable[]
}

// Condition on `users u`, `companies c` and the user's `memberships m`, equal to `levelIn` returning a level.
const reaches = 'm.id is not null or u.nivel_acceso in (5, 6) or (u.nivel_acceso = 4 and c.customer_id = u.customer_id)'

/** Reads a user's account with the companies that the user can enter, by id. */
export async function readMe (sql: Sql, user: number): Promise<Me> {
  const rows = await sql.query({
    name: 'me',
    text: `
      select u.id, u.email, u.nombre, u.nivel_acceso as account, u.customer_id as customer, u.company_id as active,
        c.id as company, c.nombre as company_nombre, c.customer_id as company_customer, m.nivel_acceso as membership
      from users u
      left join (companies c left join memberships m on m.company_id = c.id and m.user_id = $1::int)
        on ${reaches}
      where u.id = $1::int
      order by c.id`,
    values: [user]
  })
  const { id, email, nombre, account, customer, active } = rows[0]
  const companies = rows.flatMap(({ company, company_nombre: name, company_customer: companyCustomer, membership }): Reachable[] => {
    const level = company === null ? null : levelIn({ account, customer, companyCustomer, membership })
    return level === null ? [] : [{ id: company, nombre: name, nivel_acceso: level }]
  })
  const company = companies.find(company => company.id === active)
  return { id, email, nombre, nivel_acceso: company?.nivel_acceso ?? account, company: company?.id ?? null, companies }
}

/** Sets or clears the user's active company. @returns whether the session is live and the user can enter the company */
export async function makeActive (sql: Sql, { user, sid }: { user: number, sid: string }, company: number | null): Promise<boolean> {
  const rows = await sql.query({
    name: 'make active',
    text: `
      update users u set company_id = $2::int from sessions s
      where u.id = $1::int and s.id = $3::uuid and s.user_id = u.id and ${sessionLives} and ($2::int is null or exists (
        select from companies c left join memberships m on m.company_id = c.id and m.user_id = u.id
        where c.id = $2::int and (${reaches})))
      returning u.id`,
    values: [user, company, sid]
  })
  return rows.length === 1
}
