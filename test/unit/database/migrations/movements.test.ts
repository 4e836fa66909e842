import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('the migrations of movements and amounts change no estimate; servers of the release before continue', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (text: string, values: unknown[] = []) => await orm.em.execute(text, values)
  const at = migrations.findIndex(({ name }) => name.endsWith('-movimientos'))
  await orm.migrator.up({ to: migrations[at - 1]?.name as string })

  await run("insert into customers (nombre) values ('C')")
  await run("insert into companies (nombre, customer_id) select 'Obra ' || n, id from customers, generate_series(1, 2) n")
  const admit = async () => await run("select set_config('app.companies', (select array_agg(id)::text from companies), false)")
  await admit()
  const newEstimates = "insert into estimates (company_id, contract_id, monto, estado) select c.company_id, c.id, n * 100, case n when 1 then 'pagada' when 2 then 'autorizada' else 'borrador' end from generate_series(1, 3) n, contracts c where c.folio = ? order by n"
  await run("insert into contracts (company_id, folio, monto, anticipo_porcentaje, retencion_porcentaje) select id, 'A', 1000, 10, 5 from companies")
  await run(newEstimates, ['A'])
  const records = 'select id, version, updated_at, estado, amortizacion, retencion, subtotal, iva, neto, pagado from estimates order by id'
  const [unchanged, [revision]] = [await run(records), await run('select max(revision) as revision from company_revisions')]
  const older = 'select a.* from estimates e cross join estimate_amounts(e.company_id, e.contract_id, e.monto, e.deductivas, 10, 5, 16) a order by e.id'
  const amounts = await run(older)

  await orm.migrator.up({ to: migrations.find(({ name }) => name.endsWith('-amounts'))?.name as string })
  await admit()
  t.same(await run(records), unchanged)
  t.same(await run('select max(revision) as revision from company_revisions'), [revision])
  t.same(await run('select distinct neto is null as draft, derechos_porcentaje, retencion_antes_iva, cargos_antes_iva, derechos, cargos_despues_iva from estimates order by 1'), [
    { draft: false, derechos_porcentaje: '0.00', retencion_antes_iva: true, cargos_antes_iva: '0.00', derechos: '0.00', cargos_despues_iva: '0.00' },
    { draft: true, derechos_porcentaje: '0.00', retencion_antes_iva: true, cargos_antes_iva: null, derechos: null, cargos_despues_iva: null }
  ])
  t.same(await run('select tipo, antes_iva, tomado from movement_sums'), [1, 2].map(() => ({ tipo: 'fondo_garantia', antes_iva: true, tomado: '13.50' })), 'the retentions')
  t.same(await run(older), amounts, 'the function of the release before')
  await run("insert into contracts (company_id, folio, monto) select id, 'B', 1000 from companies")
  await run(newEstimates, ['B'])
  t.same(await run('select count(*)::int as n from estimates where derechos_porcentaje = 0 and retencion_antes_iva'), [{ n: 12 }], 'writers that do not know the columns')
  await orm.migrator.up()
  await admit()
  t.same(await wrongSums(async text => await run(text)), [])
})
