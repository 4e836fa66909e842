import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'

t.test('the migration of authorizations gives the present ones an order: that of numero', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (text: string, values: unknown[] = []) => await orm.em.execute(text, values)
  const before = migrations.findIndex(({ name }) => name.endsWith('-authorizations'))
  await orm.migrator.up({ to: migrations[before - 1]?.name as string })

  await run("insert into customers (nombre) values ('C')")
  await run("insert into companies (nombre, customer_id) select 'Obra ' || n, id from customers, generate_series(1, 2) n")
  await run("select set_config('app.companies', (select array_agg(id)::text from companies), false)")
  await run("insert into contracts (company_id, folio, monto) select id, folio, 1000 from companies, unnest(array['A', 'B']) folio")
  await run('insert into estimates (company_id, contract_id, monto) select c.company_id, c.id, n from generate_series(1, 6) n, contracts c order by n')
  const authorize = async (...numbers: number[]) => {
    for (const numero of numbers) await run("update estimates set estado = 'autorizada' where numero = ?", [numero])
  }
  await authorize(4, 2, 6, 1)
  await run("update estimates set estado = 'pagada' where numero = 2")
  const records = 'select id, version, updated_at, estado, neto from estimates order by id'
  const [unchanged, revisions] = [await run(records), await run('select * from company_revisions order by 1')]

  await orm.migrator.up({ to: migrations[before]?.name as string })
  t.same(await run('select numero, array_agg(distinct autorizacion) as position from estimates group by 1 order by 1'),
    [[1, 1], [2, 2], [3, null], [4, 3], [5, null], [6, 4]].map(([numero, position]) => ({ numero, position: [position] })))
  t.same([await run(records), await run('select * from company_revisions order by 1')], [unchanged, revisions], 'nothing changes for readers')

  await t.rejects(run("update estimates set estado = 'enviada' where numero = 1"), { code: '23514' })
  await run("update estimates set estado = 'enviada' where numero = 6")
  await authorize(5)
  t.same(await run('select distinct numero, autorizacion from estimates where numero in (1, 5, 6) order by 1'), [[1, 1], [5, 4], [6, null]].map(([numero, autorizacion]) => ({ numero, autorizacion })))
})
