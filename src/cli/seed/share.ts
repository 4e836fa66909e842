import type { Orm } from '../../database/connection/orm.ts'
import { loadWorks, type Execute, type Site } from '../../domain/demo/works/load.ts'

/** Some of the companies, their total number of contracts, and that of contracts with works. */
interface Share {
  ids: number[]
  contracts: number
  works: number
}

/** Contracts per tree: a main contract and its subcontracts, all with the same counterparty. */
const tree = 10

/** Contracts that get their works in one transaction. */
const sitesPerTurn = 50

/** Days between the start and the end of a contract with works. */
const term = 540

const worksTables = [
  'conceptos', 'convenios', 'programa', 'estimates', 'generadores', 'movimientos', 'pagos',
  'estimate_lines', 'concepto_sums', 'contract_sums', 'estimate_sums', 'movement_sums', 'caratulas'
]

/**
 * Shares of the companies, because inserts are CPU-bound. A share has two or more companies if possible, so that their rows alternate.
 * @param connections maximum number of shares
 */
export function shares (ids: number[], contracts: number, works: number, connections: number): Share[] {
  const parts = Math.min(ids.length, ids.length < 2 * connections ? 1 : connections)
  return Array.from({ length: parts }, (_, number) => {
    const own = ids.filter((_, index) => index % parts === number)
    const before = ids.filter((_, index) => index % parts < number).length
    const part = (total: number) => Math.floor(total * (before + own.length) / ids.length) - Math.floor(total * before / ids.length)
    return { ids: own, contracts: part(contracts), works: part(works) }
  })
}

/**
 * Adds the contracts of a share, and the works of the first ones.
 * @param tag the first part of all folios
 * @param progress called after each chunk with its number of contracts
 */
export async function seedShare (orm: Orm, share: Share, tag: string, progress: (contracts: number) => void): Promise<void> {
  for (const { first, last } of chunks(share)) {
    const sites = await orm.em.fork().transactional(async (em) => {
      await em.execute(setCompanies, [literal(share.ids)])
      return await em.execute<NumberedContract[]>(chunkOfContracts, [literal(share.ids), tag, share.works, first, last])
    })
    // Until now, foreign key checks used plans for empty tables.
    if (first === 0) await orm.em.fork().execute('analyze contracts, contrapartes')
    await seedWorks(orm, share, sites.map(siteOf))
    progress(last - first + 1)
  }
}

async function seedWorks (orm: Orm, { ids }: Share, sites: readonly Site[]): Promise<void> {
  for (let start = 0; start < sites.length; start += sitesPerTurn) {
    await orm.em.fork().transactional(async (em) => {
      await em.execute(setCompanies, [literal(ids)])
      await loadWorks(async (sql, params) => await em.execute(sql, params), sites.slice(start, start + sitesPerTurn))
    })
    if (start === 0) await analyzeWorks(async sql => await orm.em.fork().execute(sql))
  }
}

/** Collects statistics of the tables of works. */
export async function analyzeWorks (run: Execute): Promise<void> {
  await run(`analyze ${worksTables.join(', ')}`)
}

/** Ranges of a share's contracts. Each range has whole trees of every company. */
function * chunks ({ ids, contracts }: Share): Generator<{ first: number, last: number }> {
  const round = tree * ids.length
  const size = Math.ceil(20_000 / round) * round
  for (let first = 0; first < contracts; first += size) yield { first, last: Math.min(first + size, contracts) - 1 }
}

/** The text of an array of ids. */
export function literal (ids: number[]): string {
  return `{${ids.join(',')}}`
}

interface NumberedContract {
  id: number
  n: number
}

/** The works of a contract. Its number decides its prices, from 80 to 120 %, and whether its first estimate is paid in whole. */
function siteOf ({ id, n }: NumberedContract): Site {
  return { contract: id, prices: (80 + n * 7919 % 41) / 100, paid: n % 2 === 0 ? 1 : 0.5 }
}

const setCompanies = "select set_config('app.companies', ?, true)"

// Contract n (from 0) is number k = n / companies of company n % companies. A chunk has whole trees, so it finds parents and
// counterparties in its own rows, not in tables without statistics.
const chunkOfContracts = `
  with given as (select ?::int[] as ids, ?::text as tag, ?::int as works, ?::int as first, ?::int as last),
  placed as materialized (
    select n, n / cardinality(ids) as k, cardinality(ids) as size, ids[n % cardinality(ids) + 1] as company, tag, n < works as has_works,
      nextval('contracts_id_seq') as id, date '2026-01-05' + n % 700 as start
    from given, generate_series(first, last) n),
  parties as (
    insert into contrapartes (company_id, nombre)
    select company, 'Contraparte ' || tag || '-' || k / ${tree} from placed where k % ${tree} = 0 order by n
    returning id, company_id, nombre),
  made as (
    insert into contracts (
      id, company_id, folio, descripcion, monto, contraparte_id, parent_id, fecha_inicio, fecha_fin, anticipo_porcentaje,
      retencion_porcentaje)
    select placed.id, placed.company, placed.tag || '-' || placed.n, 'Frente ' || placed.k || ', tramo ' || placed.n % 97,
      (placed.n::bigint * 7919 % 4999000 + 1000) + 0.5, p.id, parent.id, placed.start,
      case when placed.has_works then placed.start + ${term} end, 10, 5
    from placed
    join parties p on p.company_id = placed.company and p.nombre = 'Contraparte ' || placed.tag || '-' || placed.k / ${tree}
    left join placed parent on placed.k % ${tree} > 0 and parent.n = placed.n - placed.k % ${tree} * placed.size
    order by placed.n)
  select id, n from placed where has_works order by n`
