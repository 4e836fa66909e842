import { randomBytes } from 'node:crypto'
import type { Orm } from '../../mikro-orm.config.ts'
import { demoPassword } from '../demo/data.ts'
import { lifetimes } from '../tokens/claims.ts'
import { hashPassword } from '../tokens/passwords.ts'

/** How much to seed; contracts are the total over all companies. */
export interface SeedSize {
  companies: number
  contracts: number
  users: number
}

/** What was seeded. */
export interface Seeded extends SeedSize {
  /** Live sessions, one a user, for access tokens. */
  sessions: Array<{ user: number, sid: string }>
}

const chunk = 20_000
const contractsPerParty = 25
const contractsPerTree = 10

/**
 * Adds a customer with companies, Directors spread over them, and contracts whose rows the companies take turns in, as in a grown
 * database. Every tenth contract of a company is a main contract, the nine after it are its subcontracts. Rows are made
 * inside the database, a chunk a transaction, so that the revision triggers see every one.
 * @param orm connected as the owner of the tables
 * @param progress told after each chunk how many contracts there are
 */
export async function seed (orm: Orm, { companies, contracts, users }: SeedSize, progress: (done: number) => void = () => {}): Promise<Seeded> {
  const batch = randomBytes(4).toString('hex')
  const em = orm.em.fork()
  const run = async (sql: string, params: unknown[] = []) => await em.execute(sql, params)

  const [{ id: customer }] = await run('insert into customers (nombre) values (?) returning id', [`Semilla ${batch}`]) as [{ id: number }]
  const made = await run("insert into companies (nombre, customer_id) select 'Obra ' || n, ? from generate_series(1, ?) n order by n returning id", [customer, companies])
  const ids = `{${made.map(row => row['id']).join(',')}}`
  const sessions = await seedUsers(run, batch, customer, ids, users)

  for (let done = 0; done < contracts; done += chunk) {
    const last = Math.min(done + chunk, contracts)
    await em.transactional(async (em) => {
      // Parents are looked up by index: the planner, guessing, would hash the whole grown table in every chunk.
      await em.execute("select set_config('app.companies', ?, true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)", [ids])
      for (const statement of [counterparties, mainContracts, subcontracts]) await em.execute(statement, [ids, batch, done, last - 1])
    })
    progress(last)
  }
  if (contracts > 0) await run('analyze contracts, contrapartes, company_revisions')
  return { companies, contracts, users, sessions }
}

type Run = (sql: string, params?: unknown[]) => Promise<any[]>

async function seedUsers (run: Run, batch: string, customer: number, companies: string, users: number): Promise<Seeded['sessions']> {
  const password = await hashPassword(demoPassword)
  return await run(`
    with made as (
      insert into users (email, password, nombre, customer_id, company_id)
      select 'director-' || n || '@' || ? || '.example', ?, 'Director ' || n, ?, (?::int[])[(n - 1) % cardinality(?::int[]) + 1]
      from generate_series(1, ?) n order by n returning id, company_id),
    members as (
      insert into memberships (user_id, company_id, nivel_acceso) select id, company_id, 3 from made)
    insert into sessions (id, user_id, expires_at)
    select gen_random_uuid(), id, clock_timestamp() + make_interval(secs => ?) from made order by id
    returning user_id as user, id as sid`,
  [batch, password, customer, companies, companies, users, lifetimes.session])
}

// Contract n (from 0) belongs to company n % companies, in which it is the one numbered k = n / companies.
const placed = `
  with given as (select ?::int[] as ids, ?::text as tag, ?::int as first, ?::int as last),
  placed as (
    select n, n / cardinality(ids) as k, cardinality(ids) as size, ids[n % cardinality(ids) + 1] as company, tag
    from given, generate_series(first, last) n)`

const counterparties = `${placed}
  insert into contrapartes (company_id, nombre)
  select company, 'Contraparte ' || tag || '-' || k / ${contractsPerParty} from placed where k % ${contractsPerParty} = 0 order by n`

const columns = 'company_id, folio, descripcion, monto, contraparte_id, parent_id, fecha_inicio, anticipo_porcentaje, retencion_porcentaje'

const values = `
  placed.company, tag || '-' || n, 'Frente ' || k || ', tramo ' || n % 97, (n::bigint * 7919 % 4999000 + 1000) + 0.5,
  p.id, parent.id, date '2026-01-05' + n % 700, 10, 5`

const party = `left join contrapartes p on p.company_id = placed.company and p.nombre = 'Contraparte ' || tag || '-' || k / ${contractsPerParty}`

const mainContracts = `${placed}
  insert into contracts (${columns})
  select ${values} from placed ${party} left join contracts parent on false
  where k % ${contractsPerTree} = 0 order by n`

const subcontracts = `${placed}
  insert into contracts (${columns})
  select ${values} from placed ${party}
  left join contracts parent on parent.company_id = placed.company and parent.folio = tag || '-' || n - k % ${contractsPerTree} * size
  where k % ${contractsPerTree} > 0 order by n`
