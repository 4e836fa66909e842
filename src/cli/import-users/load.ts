import type { EntityManager } from '@mikro-orm/postgresql'
import { lockFor } from '../../database/connection/advisory-locks.ts'
import type { Orm } from '../../database/connection/orm.ts'
import { patientTransaction } from '../../database/turns/patient-transaction.ts'
import { retrying } from '../../database/connection/postgres-sql.ts'
import type { Progress } from '../progress.ts'
import type { ImportedUser } from './records.ts'

/** Result of an import. With problems, nothing was imported. */
interface Loaded {
  created: number
  updated: number
  problems: string[]
}

/** Options of an import: update existing accounts; roll back at the end. */
interface LoadOptions {
  update?: boolean
  dryRun?: boolean
}

const atOnce = 1000

/** Thrown to roll back. Has the result. */
class Undone extends Error {
  readonly result: Loaded

  constructor (result: Loaded) {
    super('undone')
    this.result = result
  }
}

/** Loads all users or none, in one transaction that holds the lock of account writes. */
export async function loadUsers (orm: Orm, users: ImportedUser[], options: LoadOptions, progress: Progress = () => {}): Promise<Loaded> {
  const { update = false, dryRun = false } = options
  try {
    // A deadlock with another change of many users is possible, such as `obra revoke-sessions --all`.
    return await retrying(async () => await patientTransaction(orm, async (em) => {
      await em.execute(lockFor('accounts').text)
      // Deferred until the commit, so that `strangers` can list all violations before the trigger fails.
      await em.execute('set constraints refuse_foreign_member deferred')
      const superusers = await countSuperusers(em)
      const result: Loaded = { created: 0, updated: 0, problems: await absences(em, users) }
      if (!update) result.problems = result.problems.concat(await taken(em, users))
      if (result.problems.length > 0) throw new Undone(result)
      for (let first = 0; first < users.length; first += atOnce) {
        const chunk = users.slice(first, first + atOnce)
        const updated = update ? await change(em, chunk) : 0
        result.updated += updated
        result.created += await create(em, chunk)
        await addMemberships(em, chunk)
        progress(first + chunk.length, users.length)
      }
      result.problems = result.problems.concat(await strangers(em, users))
      if (superusers > 0 && await countSuperusers(em) === 0) result.problems.push('no active Superusuario would be left')
      if (dryRun || result.problems.length > 0) throw new Undone(result)
      // Before the triggers that fire at the commit, so that these wait for no user.
      await em.execute('set constraints refuse_foreign_member immediate')
      return result
    }))
  } catch (error) {
    if (error instanceof Undone) return error.result
    throw error
  }
}

async function countSuperusers (em: EntityManager): Promise<number> {
  return (await em.execute<[{ n: number }]>('select count(*)::int as n from users where activo and nivel_acceso = 6'))[0].n
}

/** Problems: companies and customers that do not exist. */
async function absences (em: EntityManager, users: ImportedUser[]): Promise<string[]> {
  const ids = async (table: string) => new Set((await em.execute<Array<{ id: number }>>(`select id from ${table}`)).map(({ id }) => id))
  const [companies, customers] = [await ids('companies'), await ids('customers')]
  return users.flatMap(({ at, company, customer, memberships }) => {
    const named = new Set([company, ...memberships.map(held => held.company)])
    const unknown = [...named].filter(id => id !== null && !companies.has(id))
    return [
      ...unknown.map(id => `${at}: no such company: ${id}`),
      ...customer !== null && !customers.has(customer) ? [`${at}: no such customer: ${customer}`] : []
    ]
  })
}

/** The email addresses of users, for `(select json_array_elements_text(?::json))`. */
function emailsOf (users: ImportedUser[]): string {
  return JSON.stringify(users.map(({ email }) => email))
}

const amongEmails = 'in (select json_array_elements_text(?::json))'

/** Problems: users whose email address is taken. */
async function taken (em: EntityManager, users: ImportedUser[]): Promise<string[]> {
  const rows = await em.execute<Array<{ email: string }>>(`select email from users where email ${amongEmails}`, [emailsOf(users)])
  const there = new Set(rows.map(({ email }) => email))
  const existing = users.filter(({ email }) => there.has(email))
  return existing.map(({ at, email }) => `${at}: there is an account ${email} already (--update changes it)`)
}

const given = `
  with given as (
    select * from json_to_recordset(?::json) as r (
      email text, password text, nombre text, activo boolean, customer int, company int, nivel int))`

/** Updates existing accounts from the file. A changed password ends the user's sessions. */
async function change (em: EntityManager, users: ImportedUser[]): Promise<number> {
  const rows = await em.execute<unknown[]>(`${given},
    changed as (
      select u.id, g.*, g.password <> u.password as other from given g join users u on u.email = g.email for update of u),
    ended as (
      update sessions s set revoked_at = clock_timestamp() from changed c where c.other and s.user_id = c.id and s.revoked_at is null)
    update users u set
      password = coalesce(c.password, u.password),
      nombre = coalesce(c.nombre, u.nombre),
      activo = coalesce(c.activo, u.activo),
      customer_id = coalesce(c.customer, u.customer_id),
      company_id = coalesce(c.company, u.company_id),
      nivel_acceso = coalesce(c.nivel, u.nivel_acceso)
    from changed c where u.id = c.id returning u.id`, [JSON.stringify(users)])
  return rows.length
}

async function create (em: EntityManager, users: ImportedUser[]): Promise<number> {
  const rows = await em.execute<unknown[]>(`${given}
    insert into users (email, password, nombre, activo, customer_id, company_id, nivel_acceso)
    select g.email, coalesce(g.password, '!'), coalesce(g.nombre, ''), coalesce(g.activo, true), coalesce(g.customer, c.customer_id),
      g.company, g.nivel
    from given g left join companies c on c.id = g.company
    where not exists (select from users u where u.email = g.email) order by g.email returning id`, [JSON.stringify(users)])
  return rows.length
}

async function addMemberships (em: EntityManager, users: ImportedUser[]): Promise<void> {
  const held = users.flatMap(({ email, memberships }) => memberships.map(membership => ({ email, ...membership })))
  await em.execute(`
    insert into memberships (user_id, company_id, nivel_acceso)
    select u.id, g.company, g.nivel_acceso
    from json_to_recordset(?::json) as g (email text, company int, nivel_acceso int) join users u on u.email = g.email
    on conflict (user_id, company_id) do update set nivel_acceso = excluded.nivel_acceso
    where memberships.nivel_acceso <> excluded.nivel_acceso`, [JSON.stringify(held)])
}

/** Problems: users who would be members of another customer's company. */
async function strangers (em: EntityManager, users: ImportedUser[]): Promise<string[]> {
  const rows = await em.execute<Array<{ email: string, company: number }>>(`
    select u.email, c.id as company
    from users u join companies c on c.id = u.company_id or c.id in (select m.company_id from memberships m where m.user_id = u.id)
    where c.customer_id <> u.customer_id and u.email ${amongEmails}`, [emailsOf(users)])
  const lines = new Map(users.map(({ at, email }) => [email, at]))
  return rows.map(({ email, company }) => `${lines.get(email)}: company ${company} belongs to another customer than the user`)
}
