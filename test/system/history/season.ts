import { open } from '../freshness/connection.ts'
import { call } from '../../support/over-http.ts'
import type { Psql } from '../torture/integrity.ts'
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

const connectionsEach = 4

/** Creates a company and a history in it. @param most approximate number of acts */
export async function makeHistory ({ origins, token, psql }: Stage, seed: number, most: number, actors = 6): Promise<History> {
  const company = await newCompany(origins[0] as string, token, seed)
  const servers = Array.from({ length: connectionsEach }, (_, index) => origins[index % origins.length] as string)
  const connections = await Promise.all(Array.from({ length: actors }, async () => await Promise.all(servers.map(open))))
  try {
    const acts = await play({ connections, headers: { authorization: `Bearer ${token}` } }, seed, most)
    return { seed, company, acts, log: await psql(logOf, [company]) as Change[], rows: { contracts: await psql(contractsOf, [company]), estimates: await psql(estimatesOf, [company]) } }
  } finally {
    for (const { close } of connections.flat()) close()
  }
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
