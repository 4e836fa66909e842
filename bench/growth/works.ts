import type pg from 'pg'

/** A resource of the works of contracts. */
export type WorksResource = 'conceptos' | 'estimates' | 'generadores'

/** Concepts and estimates of a contract, and lines of an estimate. So these lists are equally long in all companies. */
export const perList = 100

/** Estimates of a contract that have lines. */
const measured = 10

/** Number of contracts in a company with a number of records. */
export const contractsOf: Record<WorksResource, (size: number) => number> = {
  conceptos: size => Math.ceil(size / perList),
  estimates: size => Math.ceil(size / perList),
  generadores: size => Math.ceil(size / perList / measured)
}

/** Records that are inserted in one transaction, approximately. */
const chunk = 20_000

const ofContracts = `
  from contracts c cross join generate_series(1, $3::int) n where c.id between $1::bigint and $2::bigint order by c.id, n`

const concepts = `
  insert into conceptos (company_id, contract_id, clave, capitulo, descripcion, unidad, cantidad, precio_unitario)
  select c.company_id, c.id, 'C-' || n, n % 10 || '/' || n % 5, 'Concepto ' || n || ' de la obra', 'm3', 1000, 100 + n ${ofContracts}`

// The amount of an estimate with lines is their sum.
const estimates = (monto: number) => `
  insert into estimates (company_id, contract_id, descripcion, monto)
  select c.company_id, c.id, 'Avance ' || n, ${monto} ${ofContracts}`

const lines = `
  insert into generadores (company_id, contract_id, estimate_id, concepto_id, ubicacion, piezas, cantidad)
  select e.company_id, e.contract_id, e.id, k.id, 'Eje ' || k.clave, 2, 2
  from estimates e join conceptos k on k.company_id = e.company_id and k.contract_id = e.contract_id
  where e.contract_id between $1::bigint and $2::bigint order by e.id, k.id`

/** The statements that add works to a range of contracts, each with the number of its records for a contract. */
const statements: Record<WorksResource, Array<[sql: string, records?: number]>> = {
  conceptos: [[concepts, perList]],
  estimates: [[estimates(1000), perList]],
  generadores: [[concepts, perList], [estimates(0), measured], [lines]]
}

/** Adds records of a resource, and the records to which they refer, to all contracts. The triggers run, as for requests. */
export async function addWorks (client: pg.Client, resource: WorksResource, size: number): Promise<void> {
  await client.query("select set_config('app.companies', array(select id from companies)::text, false)")
  const { rows: [{ first, last }] } = await client.query('select min(id)::int as first, max(id)::int as last from contracts')
  const step = Math.max(1, Math.floor(chunk * contractsOf[resource](size) / size))
  for (let from = first; from <= last; from += step) {
    await client.query('begin')
    for (const [sql, records] of statements[resource]) {
      await client.query(sql, [from, from + step - 1, ...records === undefined ? [] : [records]])
    }
    await client.query('commit')
    // Until now, plans were those of empty tables.
    if (from === first) await client.query('analyze')
  }
}
