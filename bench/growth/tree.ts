import pg from 'pg'
import { serviceSettings } from '../../src/database/connection/session-settings.ts'
import { parsers } from '../../src/database/connection/postgres-sql.ts'

/** Number of contracts in the tree of the largest company. */
export const treeSize = 10_000

/** Makes the first `treeSize` contracts one tree, five levels deep, with ten children each. */
export async function makeTree (client: pg.Client): Promise<void> {
  await client.query("select set_config('app.companies', array(select id from companies)::text, false)")
  await client.query(`
    with numbered as (select id, row_number() over (order by id) - 1 as n from contracts order by id limit ${treeSize})
    update contracts c set parent_id = above.id
    from numbered own join numbered above on above.n = (own.n - 1) / 10
    where c.id = own.id and own.n > 0`)
  await client.query(`
    with tree as (select id from contracts order by id limit ${treeSize})
    update contracts set parent_id = null where parent_id in (table tree) and id not in (table tree)`)
}

// The shortest query for what the route shows of each contract.
const plain = `
  with recursive tree as (
    select c.*, 0 as level from contracts c where c.company_id = $1 and c.id = $2
    union all
    select c.*, tree.level + 1 from tree join contracts c on c.company_id = $1 and c.parent_id = tree.id)
  select t.level, t.id, t.company_id as company, t.folio, p.nombre as contraparte, t.contraparte_id, t.monto, t.parent_id as parent,
    t.moneda, t.fecha_inicio, t.fecha_fin, t.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje, t.estado, t.external_id,
    t.created_at, t.updated_at, t.version
  from tree t left join contrapartes p on p.company_id = t.company_id and p.id = t.contraparte_id
  order by t.level, t.id`

/** Reads the tree with pg only. */
export interface PlainTree extends AsyncDisposable {
  /** @returns the number of contracts */
  read: (root: number) => Promise<number>
}

/** Opens a connection with the service's settings and policies, and prepares the bare recursive query. */
export async function openPlainTree (url: string, company: number): Promise<PlainTree> {
  const settings = Object.entries(serviceSettings).map(([name, value]) => `-c ${name}=${value}`)
  const client = new pg.Client({ connectionString: url, options: settings.join(' ') })
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
  await client.connect()
  await client.query("select set_config('app.companies', $1, false)", [`{${company}}`])
  return {
    read: async root => (await client.query({ name: 'tree', text: plain, values: [company, root] })).rows.length,
    [Symbol.asyncDispose]: async () => await client.end()
  }
}
