import { call } from '../../support/over-http.ts'
import { exchangeOver } from '../kernel/client.ts'
import type { Psql } from '../kernel/psql.ts'
import type { Change, History } from './act.ts'
import { play } from './play.ts'

/** The setting of a history. */
export interface Stage {
  /** Scheme, host and port of each server; all use one database. */
  origins: string[]
  /** The access token of a user of level 4 or higher, whose active company is the new one meanwhile. */
  token: string
  psql: Psql
}

/** Creates a company and a history in it. @param most approximate number of acts */
export async function makeHistory ({ origins, token, psql }: Stage, seed: number, most: number, actors = 6): Promise<History> {
  const company = await newCompany(origins[0] as string, token, seed)
  const ways = Array.from({ length: actors }, () => origins.map(origin => exchangeOver([origin], Math.random)))
  const acts = await play(ways, { authorization: `Bearer ${token}` }, seed, most)
  const rows = { contracts: await psql(contractsOf, [company]), estimates: await psql(estimatesOf, [company]) }
  return { seed, company, acts, log: await psql(logOf, [company]) as Change[], rows }
}

const logOf = 'select revision::int, resource, record_id as id, operation from changes where company_id = $1 order by revision, record_id'
const contractsOf = 'select id, version, folio, monto::float, parent_id as parent, descripcion, external_id, moneda, estado from contracts where company_id = $1'
const estimatesOf = 'select id, version, contract_id as contract, numero, monto::float, descripcion, estado from estimates where company_id = $1'

async function newCompany (origin: string, token: string, seed: number): Promise<number> {
  const { body: { results: [{ customer }] } } = await call(origin, 'GET', 'companies/?page_size=1', { token })
  const { body: { id: company } } = await call(origin, 'POST', 'companies/', { token, body: { nombre: `Historia ${seed}`, customer } })
  await call(origin, 'PATCH', 'me/', { token, body: { company } })
  return company
}
