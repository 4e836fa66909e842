import { call } from '../../support/over-http.ts'
import { exchangeOver } from '../kernel/client.ts'
import type { Psql } from '../kernel/psql.ts'
import { resources, type Act, type Change, type History, type ResourceName } from './act.ts'
import { play } from './play.ts'

/** The setting of a history. */
export interface Stage {
  /** Scheme, host and port of each server; all use one database. */
  origins: string[]
  /** The access token of a user of level 4 or higher, whose active company is the new one meanwhile. */
  token: string
  psql: Psql
}

/** Creates a company and a history in it. @param isEnough whether the acts so far are enough */
export async function makeHistory ({ origins, token, psql }: Stage, seed: number, isEnough: (acts: Act[]) => boolean, actors = 6): Promise<History> {
  const company = await newCompany(origins[0], token, seed)
  const ways = Array.from({ length: actors }, () => origins.map(origin => exchangeOver([origin], Math.random)))
  const acts = await play(ways, { authorization: `Bearer ${token}` }, seed, isEnough)
  const rows: Partial<History['rows']> = {}
  for (const resource of resources) rows[resource] = await psql(`select id, version, ${columns[resource]} from ${resource} where company_id = $1`, [company])
  return { seed, company, acts, log: await psql(logOf, [company]) as Change[], rows: rows as History['rows'] }
}

const logOf = 'select revision::int, resource, record_id as id, operation from changes where company_id = $1 order by revision, record_id'
/** The columns that the model has. */
const columns: Record<ResourceName, string> = {
  contracts: 'folio, monto::float, parent_id as parent, descripcion, external_id, moneda, estado, anticipo_porcentaje::float, retencion_porcentaje::float',
  estimates: 'contract_id as contract, tipo, numero, monto::float, anticipo::float, cargos_fijos_antes::float as cargos, lineas, amortizacion::float, retencion::float, ' +
    'neto::float, pagado::float, descripcion, estado, autorizacion as "order"',
  conceptos: 'contract_id as contract, convenio_id as convenio, clave, cantidad::float, precio_unitario::float, descripcion',
  convenios: 'contract_id as contract, numero, monto::float, descripcion, estado',
  generadores: 'estimate_id as estimate, concepto_id as concepto, contract_id as contract, cantidad::float, observaciones',
  pagos: 'estimate_id as estimate, contract_id as contract, importe::float, referencia',
  movimientos: 'estimate_id as estimate, contract_id as contract, tipo, sentido, motivo, importe::float',
  programa: 'contract_id as contract, importe::float'
}

async function newCompany (origin: string, token: string, seed: number): Promise<number> {
  const { body: { results: [{ customer }] } } = await call(origin, 'GET', 'companies/?page_size=1', { token })
  const { body: { id: company } } = await call(origin, 'POST', 'companies/', { token, body: { nombre: `Historia ${seed}`, customer } })
  await call(origin, 'PATCH', 'me/', { token, body: { company } })
  return company
}
