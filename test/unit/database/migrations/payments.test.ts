import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('the migration of payments gives each paid estimate a payment, and changes no estimate', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (text: string, values: unknown[] = []) => await orm.em.execute(text, values)
  const at = migrations.findIndex(({ name }) => name.endsWith('-pagos'))
  await orm.migrator.up({ to: migrations[at - 1]?.name as string })

  await run("insert into customers (nombre) values ('C')")
  await run("insert into companies (nombre, customer_id) select 'Obra ' || n, id from customers, generate_series(1, 2) n")
  const admit = async () => await run("select set_config('app.companies', (select array_agg(id)::text from companies), false)")
  await admit()
  await run("insert into contracts (company_id, folio, monto) select id, 'A', 1000 from companies")
  await run("insert into estimates (company_id, contract_id, monto, estado) select c.company_id, c.id, n, case n % 3 when 0 then 'pagada' when 1 then 'autorizada' else 'borrador' end from generate_series(0, 8) n, contracts c order by n")
  await run("insert into webhooks (company_id, url, secrets, events) select id, 'https://erp.example/' || id, '', case when nombre = 'Obra 2' then 'estimates.updated' else '' end from companies")
  const records = 'select id, version, updated_at, estado, neto from estimates order by id'
  const [unchanged, [revision]] = [await run(records), await run('select max(revision) as revision from company_revisions')]

  await orm.migrator.up({ to: migrations[at]?.name as string })
  await admit()
  t.same(await run(records), unchanged)
  t.same(await run('select e.monto, p.company_id = e.company_id and p.contract_id = e.contract_id as same, p.importe = e.neto as whole, p.fecha, p.referencia, p.version from pagos p join estimates e on e.id = p.estimate_id order by p.id'),
    [3, 3, 6, 6].map(monto => ({ monto: `${monto}.00`, same: true, whole: true, fecha: null, referencia: '', version: 1 })), 'an estimate of 0.00 gets none')
  t.same(await run("select count(*)::int as n, bool_and(pagado = case when estado = 'pagada' then neto else 0 end) as right from estimates"), [{ n: 18, right: true }])
  t.same(await run('select pagos from company_revisions order by company_id'), [{ pagos: 2 }, { pagos: 2 }])
  t.same(await run('select distinct resource, operation from changes where revision > ?', [revision?.['revision']]), [{ resource: 'pagos', operation: 'insert' }])
  t.same(await run("select operation, caller, count(*)::int as n from history where resource = 'pagos' group by 1, 2"), [{ operation: 'insert', caller: null, n: 4 }])
  t.same(await run('select events from webhooks order by company_id'), [{ events: '' }, { events: 'estimates.updated' }])
  // The sums are those of the last migration.
  await orm.migrator.up()
  await admit()
  t.same(await wrongSums(async text => await run(text)), [])

  await run('delete from pagos')
  t.same(await run('select estado, sum(pagado) as paid from estimates where neto > 0 group by 1'), [{ estado: 'autorizada', paid: '0.00' }])
  await run("update estimates set estado = 'pagada' where neto > 0")
  t.same(await run('select count(*)::int as n from pagos'), [{ n: 10 }])
  t.same(await wrongSums(async text => await run(text)), [])
})
