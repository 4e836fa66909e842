import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Orm } from '../../database/connection/orm.ts'
import { demoPassword } from '../../domain/demo/data.ts'
import type { Execute } from '../../domain/demo/works/load.ts'
import { analyzeWorks, literal, seedShare, shares } from './share.ts'
import { lifetimes } from '../../auth/claims.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Row } from '../../database/connection/sql.ts'

/** Numbers of records to seed. Contracts are the total of all companies. */
export interface SeedSize {
  companies: number
  contracts: number
  users: number
  /** Number of the contracts that have works: a catalogue, change orders, measured estimates and payments. */
  works: number
}

/** Result of seeding. */
export interface Seeded extends SeedSize {
  /** A live session per user, for access tokens. */
  sessions: Array<{ user: number, sid: string }>
}

/** Number of connections. */
export const seedConnections = 2

/**
 * Adds a customer with companies, Directors and contracts. The contracts of the companies alternate, as in a database that grew.
 * Every tenth contract of a company is a main contract, and the next nine are its subcontracts. The database generates the rows,
 * one transaction per chunk, so the revision triggers run for all of them. The first contracts have the works of the demo site, with other
 * prices.
 * @param orm connected as the owner of the tables
 * @param progress called after each chunk with the number of contracts
 */
export async function seed (orm: Orm, size: SeedSize, progress: (done: number) => void = () => {}): Promise<Seeded> {
  const { companies, contracts, users, works } = size
  const batch = randomBytes(4).toString('hex')
  const em = orm.em.fork()
  const run = async <R extends object = Row>(sql: string, params: unknown[] = []) => await em.execute<R[]>(sql, params)

  const [{ id: customer }] = await run<{ id: number }>('insert into customers (nombre) values (?) returning id', [`Semilla ${batch}`])
  const made = await run<{ id: number }>(`
    insert into companies (nombre, customer_id)
    select 'Obra ' || n, ? from generate_series(1, ?) n order by n
    returning id`, [customer, companies])
  const ids = made.map(({ id }) => id)
  const sessions = await seedUsers(run, batch, customer, ids, users)

  let done = 0
  await Promise.all(shares(ids, contracts, works, seedConnections).map(async (share) => {
    await seedShare(orm, share, `${batch}-${share.ids[0]}`, added => progress(done += added))
  }))
  if (contracts > 0) await run('analyze contracts, contrapartes, company_revisions')
  if (works > 0) await analyzeWorks(run)
  await indexAll(run)
  return { ...size, sessions }
}

/** Fills the search index, so that the next server need not. @param run executes a statement with `?` in place of its parameters */
export async function indexAll (run: Execute): Promise<void> {
  for (let isDone = false; !isDone;) {
    isDone = true
    for (let after: number | null = 0; after !== null;) {
      const [row] = await run('select after, indexed, problem from search.index_changes(?, 0, 1000)', [after])
      if (row.problem !== null) throw new Error(`the search index cannot be filled: ${row.problem}`)
      if (row.indexed === null) await sleep(50) // a server indexes now
      if (row.indexed !== false) isDone = false
      after = row.after
    }
  }
}

async function seedUsers (run: Execute, batch: string, customer: number, companies: number[], users: number): Promise<Seeded['sessions']> {
  const password = await hashPassword(demoPassword)
  const sessions = await run(`
    with made as (
      insert into users (email, password, nombre, customer_id, company_id)
      select 'director-' || n || '@' || ? || '.example', ?, 'Director ' || n, ?, (?::int[])[(n - 1) % cardinality(?::int[]) + 1]
      from generate_series(1, ?) n order by n returning id, company_id),
    members as (
      insert into memberships (user_id, company_id, nivel_acceso) select id, company_id, 3 from made)
    insert into sessions (id, user_id, expires_at)
    select gen_random_uuid(), id, clock_timestamp() + make_interval(secs => ?) from made order by id
    returning user_id as user, id as sid`,
  [batch, password, customer, literal(companies), literal(companies), users, lifetimes.session])
  return sessions.map(({ user, sid }) => ({ user, sid }))
}
