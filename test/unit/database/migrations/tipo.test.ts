import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('the migration of kinds makes all estimates ordinary and changes none; servers of the release before continue', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (text: string, values: unknown[] = []) => await orm.em.execute(text, values)
  const at = migrations.findIndex(({ name }) => name.endsWith('-tipo'))
  await orm.migrator.up({ to: migrations[at - 1]?.name as string })

  await run("insert into customers (nombre) values ('C')")
  await run("insert into companies (nombre, customer_id) select 'Obra ' || n, id from customers, generate_series(1, 2) n")
  const admit = async () => await run("select set_config('app.companies', (select array_agg(id)::text from companies), false)")
  await admit()
  const newEstimates = `
    insert into estimates (company_id, contract_id, monto, estado)
    select c.company_id, c.id, n * 100, case n when 1 then 'pagada' when 2 then 'autorizada' else 'borrador' end
    from generate_series(1, 3) n, contracts c where c.folio = ? order by n`
  await run("insert into contracts (company_id, folio, monto, anticipo_porcentaje, retencion_porcentaje) select id, 'A', 1000, 10, 5 from companies")
  await run(newEstimates, ['A'])
  const records = `
    select id, numero, version, updated_at, estado, amortizacion, retencion, cargos_antes_iva, subtotal, iva, derechos, neto, pagado
    from estimates order by id`
  const [unchanged, [revision]] = [await run(records), await run('select max(revision) as revision from company_revisions')]
  const older = `
    select a.* from estimates e cross join estimate_amounts(e.company_id, e.contract_id, e.monto, e.deductivas, 10, 5, 16) a order by e.id`
  const amounts = await run(older)

  await orm.migrator.up({ to: migrations[at]?.name as string })
  await admit()
  t.same(await run(records), unchanged)
  t.same(await run('select max(revision) as revision from company_revisions'), [revision])
  t.same(await run('select distinct tipo, anticipo from estimates'), [{ tipo: 'ordinaria', anticipo: '0.00' }])
  t.same(await run(older), amounts, 'the function of the release before')
  await run("insert into contracts (company_id, folio, monto) select id, 'B', 1000 from companies")
  await run(newEstimates, ['B'])
  t.same(await run("select numero from estimates e join contracts c on c.id = e.contract_id where c.folio = 'B' order by e.id"), [1, 1, 2, 2, 3, 3].map(numero => ({ numero })))
  await run("insert into estimates (company_id, contract_id, tipo, anticipo, estado) select company_id, id, 'anticipo', 80, 'autorizada' from contracts where folio = 'A'")
  t.same(await run('select a.amortizacion from contracts c cross join estimate_amounts(c.company_id, c.id, 1000, 0, 10, 5, 16) a where c.folio = \'A\''), [1, 2].map(() => ({ amortizacion: '50.00' })), 'of the documents')
  await orm.migrator.up()
  await admit()
  t.same(await wrongSums(async text => await run(text)), [])
})
