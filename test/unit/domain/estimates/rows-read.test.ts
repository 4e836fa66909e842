import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { explainPage, explainRecord, rowsRead, type Explained } from '../../resources/reading/plan.ts'
import { removeQuery } from '../../../../src/resources/writing/remove.ts'

const size = 16_000

t.test('with a contract of many estimates and subcontracts', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const add = async (folio: string, rest = '') => (await psql(`insert into contracts (company_id, folio, monto ${rest === '' ? '' : ', contraparte_id'}) values (1, '${folio}', 1e12 ${rest}) returning id`))[0]?.['id'] as number
  const [{ id: contraparte }] = await psql("insert into contrapartes (company_id, nombre) values (1, 'Muy usada') returning id") as [{ id: number }]
  const [short, long] = [await add('CORTO'), await add('LARGO', `, ${contraparte}`)]
  // Inserted with their numbers, because the trigger looks for the last one.
  await psql('alter table estimates disable trigger keep_estimate')
  for (const [contract, count] of [[short, 40], [long, size]]) {
    await psql(`
      insert into estimates (company_id, contract_id, numero, monto, periodo_inicio, periodo_fin, estado, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, derechos_porcentaje, retencion_antes_iva)
      select 1, $1, n, 1, date '1900-01-01' + n, date '1900-01-01' + n, case n % 3 when 0 then 'cancelada' when 1 then 'borrador' else 'enviada' end, 0, 0, 0, 0, true from generate_series(1, $2::int) n`, [contract, count])
  }
  await psql('alter table estimates enable trigger keep_estimate')
  await psql("insert into contracts (company_id, folio, parent_id, contraparte_id) select 1, 'H-' || n, $1, $2 from generate_series(1, 3000) n", [long, contraparte])

  // Sums of other contracts: PostgreSQL reads a table of a few pages without its index.
  await psql('insert into estimate_sums select 1, c.id, 1, n, 1 from contracts c cross join generate_series(0, 4) n where c.parent_id = $1', [long])
  await psql('insert into contract_sums select 1, c.id, 1, 1, 0, 0 from contracts c where c.parent_id = $1', [long])
  await psql("insert into subcontract_sums select 1, c.id, 'MXN', 1, 1 from contracts c where c.parent_id = $1", [long])
  await psql('analyze')

  const rowsOf = ({ run }: Explained) => run.filter(node => node['Relation Name'] !== undefined).reduce((sum, node) => sum + rowsRead(node), 0)
  const page = async (size: number) => rowsOf(await explainPage(sql, 1, estimates, { ordering: ['-id'], page_size: size, fields: ['id', 'monto_acumulado'] }))

  await t.test('a page reads few rows per estimate', async (t) => {
    for (const size of [1, 20, 200]) {
      const rows = await page(size)
      t.ok(rows >= size && rows <= 110 * size + 10, `${rows} rows for ${size} estimates`)
    }
  })

  await t.test('a single contract reads stored sums', async (t) => {
    const rows = rowsOf(await explainRecord(sql, 1, contracts, long))
    t.ok(rows <= 40, `${rows} rows`)
  })

  await psql(`
    create function test_rows() returns int language sql return (
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables where relname in ('estimates', 'estimate_sums', 'contract_sums', 'subcontract_sums', 'contracts', 'movimientos', 'caratulas'))`)
  // The first round also plans the functions. Each is rolled back.
  await psql(`
    create function test_visited(statement text) returns int language plpgsql as $$
    declare before int; visited int;
    begin
      for round in 1..2 loop
        begin
          before := test_rows();
          execute statement;
          visited := test_rows() - before;
          raise exception using errcode = 'OB999';
        exception when sqlstate 'OB999' then
        end;
      end loop;
      return visited;
    end $$`)
  /** Rows that a write visits, its triggers included. */
  const visited = async (text: string, contract: number): Promise<number> =>
    (await psql('select test_visited($1) as rows', [text.replaceAll('$1', String(contract))]))[0]?.['rows'] as number

  await t.test('a write visits as many rows as in a short contract', async (t) => {
    for (const [what, text] of [
      ['a new estimate', "insert into estimates (company_id, contract_id, monto, periodo_inicio, periodo_fin) values (1, $1, 5, '2999-01-01', '2999-01-31')"],
      ['a hundred new ones', 'insert into estimates (company_id, contract_id, monto) select 1, $1, n from generate_series(1, 100) n'],
      ['an advance', "insert into estimates (company_id, contract_id, tipo, anticipo) values (1, $1, 'anticipo', 1)"],
      ['a finiquito', "insert into estimates (company_id, contract_id, tipo) values (1, $1, 'finiquito')"],
      ['another amount of the first one', 'update estimates set monto = monto + 1 where company_id = 1 and contract_id = $1 and numero = 1'],
      ['a cancellation', "update estimates set estado = 'cancelada' where company_id = 1 and contract_id = $1 and numero = 2"],
      ['an authorization', "update estimates set estado = 'autorizada' where company_id = 1 and contract_id = $1 and numero = 2"],
      ['a lower amount of the contract', 'update contracts set monto = monto - 1 where company_id = 1 and id = $1']
    ] as const) {
      const [few, many] = [await visited(text, short), await visited(text, long)]
      t.ok(few > 0 && many <= few + 20, `${what}: ${few} rows, in the long contract ${many}`)
    }
  })

  await t.test('an authorization after many others visits as many rows as the first one', async (t) => {
    const first = await visited("update estimates set estado = 'autorizada' where company_id = 1 and contract_id = $1 and numero = 2", short)
    await psql("update estimates set estado = 'autorizada' where contract_id = $1 and numero <= 300 and estado = 'enviada'", [long])
    const next = await visited("update estimates set estado = 'autorizada' where company_id = 1 and contract_id = $1 and numero = 302", long)
    t.ok(first > 0 && next <= first + 20, `${first} rows, after 100 others ${next}`)
  })

  await t.test('a refused delete finds one dependent', async (t) => {
    for (const [resource, id] of [[contracts, long], [contrapartes, contraparte]] as const) {
      const statement = { text: `explain (analyze, timing off, format json) ${removeQuery(resource).text}`, values: [[1], [id], [1], [null]] }
      const [rows] = await sql.within([1], 'read write', [statement]) as [Row[]]
      const plan = rows[0]?.['QUERY PLAN']
      const [{ Plan: root }] = typeof plan === 'string' ? JSON.parse(plan) : plan
      const all = (node: any): any[] => [node, ...(node.Plans ?? []).flatMap(all)]
      const read = all(root).filter(node => node['Relation Name'] !== undefined && node['Actual Loops'] > 0).reduce((sum, node) => sum + rowsRead(node), 0)
      t.ok(read > 0 && read <= 60, `${resource.name}: ${read} rows`)
    }
  })
})
