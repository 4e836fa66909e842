import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Orm } from '../../database/connection/orm.ts'
import { demoPassword } from '../../domain/demo/data.ts'
import { lifetimes } from '../../auth/claims.ts'
import { hashPassword } from '../../auth/passwords.ts'

/** Numbers of records to seed. Contracts are the total of all companies. */
export interface SeedSize {
  companies: number
  contracts: number
  users: number
}

/** Result of seeding. */
export interface Seeded extends SeedSize {
  /** A live session per user, for access tokens. */
  sessions: Array<{ user: number, sid: string }>
}

/** Number of connections. */
export const seedConnections = 2

/** Contracts per tree: a main contract and its subcontracts, all with the same counterparty. */
const tree = 10

/**
 * Adds a customer with companies, Directors and contracts. The contracts of the companies alternate, as in a database that grew.
 * Every tenth contract of a company is a main contract, and the next nine are its subcontracts. The database generates the rows,
 * one transaction per chunk, so the revision triggers run for all of them.
 * @param orm connected as the owner of the tables
 * @param progress called after each chunk with the number of contracts
 */
export async function seed (orm: Orm, size: SeedSize, progress: (done: number) => void = () => {}): Promise<Seeded> {
  const { companies, contracts, users } = size
  const batch = randomBytes(4).toString('hex')
  const em = orm.em.fork()
  const run = async (sql: string, params: unknown[] = []) => await em.execute(sql, params)

  const [{ id: customer }] = await run('insert into customers (nombre) values (?) returning id', [`Semilla ${batch}`]) as [{ id: number }]
  const made = await run(`
    insert into companies (nombre, customer_id)
    select 'Obra ' || n, ? from generate_series(1, ?) n order by n
    returning id`, [customer, companies])
  const ids = made.map(row => row['id'] as number)
  const sessions = await seedUsers(run, batch, customer, ids, users)

  let done = 0
  await Promise.all(shares(ids, contracts).map(async (share) => {
    for (const { first, last } of chunks(share)) {
      await orm.em.fork().transactional(async (em) => {
        await em.execute("select set_config('app.companies', ?, true)", [literal(share.ids)])
        await em.execute(chunkOfContracts, [literal(share.ids), `${batch}-${share.ids[0]}`, first, last])
      })
      progress(done += last - first + 1)
      // Until now, foreign key checks used plans for empty tables.
      if (first === 0) await run('analyze contracts, contrapartes')
    }
  }))
  if (contracts > 0) await run('analyze contracts, contrapartes, company_revisions')
  await indexAll(run)
  return { companies, contracts, users, sessions }
}

/** Fills the search index, so that the next server need not. */
async function indexAll (run: Execute): Promise<void> {
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

type Execute = (sql: string, params?: unknown[]) => Promise<any[]>

/** Some of the companies, and their total number of contracts. */
interface Share {
  ids: number[]
  contracts: number
}

/** One share per connection, because inserts are CPU-bound. A share has two or more companies if possible, so that their rows alternate. */
function shares (ids: number[], contracts: number): Share[] {
  const parts = Math.min(ids.length, ids.length < 2 * seedConnections ? 1 : seedConnections)
  return Array.from({ length: parts }, (_, part) => {
    const own = ids.filter((_, index) => index % parts === part)
    const before = ids.filter((_, index) => index % parts < part).length
    const upTo = (companies: number) => Math.floor(contracts * companies / ids.length)
    return { ids: own, contracts: upTo(before + own.length) - upTo(before) }
  })
}

/** Ranges of a share's contracts. Each range has whole trees of every company. */
function * chunks ({ ids, contracts }: Share): Generator<{ first: number, last: number }> {
  const round = tree * ids.length
  const size = Math.ceil(20_000 / round) * round
  for (let first = 0; first < contracts; first += size) yield { first, last: Math.min(first + size, contracts) - 1 }
}

function literal (ids: number[]): string {
  return `{${ids.join(',')}}`
}

async function seedUsers (run: Execute, batch: string, customer: number, companies: number[], users: number): Promise<Seeded['sessions']> {
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
  [batch, password, customer, literal(companies), literal(companies), users, lifetimes.session])
}

// Contract n (from 0) is number k = n / companies of company n % companies. A chunk has whole trees, so it finds parents and
// counterparties in its own rows, not in tables without statistics.
const chunkOfContracts = `
  with given as (select ?::int[] as ids, ?::text as tag, ?::int as first, ?::int as last),
  placed as materialized (
    select n, n / cardinality(ids) as k, cardinality(ids) as size, ids[n % cardinality(ids) + 1] as company, tag,
      nextval('contracts_id_seq') as id
    from given, generate_series(first, last) n),
  parties as (
    insert into contrapartes (company_id, nombre)
    select company, 'Contraparte ' || tag || '-' || k / ${tree} from placed where k % ${tree} = 0 order by n
    returning id, company_id, nombre)
  insert into contracts (
    id, company_id, folio, descripcion, monto, contraparte_id, parent_id, fecha_inicio, anticipo_porcentaje, retencion_porcentaje)
  select placed.id, placed.company, placed.tag || '-' || placed.n, 'Frente ' || placed.k || ', tramo ' || placed.n % 97,
    (placed.n::bigint * 7919 % 4999000 + 1000) + 0.5, p.id, parent.id, date '2026-01-05' + placed.n % 700, 10, 5
  from placed
  join parties p on p.company_id = placed.company and p.nombre = 'Contraparte ' || placed.tag || '-' || placed.k / ${tree}
  left join placed parent on placed.k % ${tree} > 0 and parent.n = placed.n - placed.k % ${tree} * placed.size
  order by placed.n`
