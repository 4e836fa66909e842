import t from 'tap'
import { openTestDatabase } from '../../../support/helper.ts'
import { moved } from '../../../support/moved.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

const violates = (constraint: string, code = '23514') => ({ code, constraint })

t.test('the database enforces the rules of change orders for every role, also the superuser', async (t) => {
  const { psql } = await openTestDatabase(t)
  const one = async (text: string, values: unknown[] = []) => (await psql(text, values))[0]
  let folios = 0
  const contract = async (monto = 1000, end: string | null = '2026-12-31') =>
    (await one("insert into contracts (company_id, folio, monto, fecha_inicio, fecha_fin, anticipo_porcentaje) values (1, $1, $2, '2026-01-01', $3, 10) returning id", [`W-${++folios}`, monto, end]))['id'] as number
  const add = async (of: number, fields: Record<string, unknown> = {}, company = 1) => {
    const values = Object.entries({ company_id: company, contract_id: of, monto: '1', fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04', ...fields })
    return await one(`insert into convenios (${values.map(([name]) => name).join(', ')}) values (${values.map((_, index) => `$${index + 1}`).join(', ')}) returning *`, values.map(([, value]) => value))
  }
  const state = async (of: number) => Object.values(await one(`
    select c.monto, c.fecha_fin::text, s.acordados, s.firmados, s.convenios, s.convenios_sin_anticipo, s.dias, s.extra
    from contracts c join contract_sums s on s.contract_id = c.id where c.id = $1`, [of]))

  await t.test('one statement signs several, each after the one before', async (t) => {
    const id = await contract()
    for (const [monto, dias, conAnticipo] of [[50, 5, true], [-20, 0, false], [7, -3, false]]) await add(id, { monto, dias, con_anticipo: conAnticipo })
    await moved(psql, 'convenios', ['enviado', 'autorizado'], 'contract_id = $1', [id])
    t.same(await state(id), ['1000.00', '2026-12-31', 3, 0, '0.00', '0.00', 0, '57.00'])
    await psql("update convenios set estado = 'firmado' where contract_id = $1 and numero < 3", [id])
    t.same(await state(id), ['1030.00', '2027-01-05', 3, 2, '30.00', '-20.00', 5, '7.00'])
    await add(id, { monto: '100', estado: 'firmado' })
    t.same(await state(id), ['1130.00', '2027-01-05', 4, 3, '130.00', '80.00', 5, '7.00'], 'also in an insert')
    await psql("update convenios set estado = 'borrador' where contract_id = $1 and numero = 3", [id])
    t.match(await one('select fecha_autorizacion::text as day from convenios where contract_id = $1 and numero = 3', [id]), { day: null })
    t.same(await state(id), ['1130.00', '2027-01-05', 3, 3, '130.00', '80.00', 5, '0.00'])

    const other = await contract(10)
    for (const monto of [-11, 5]) await add(other, { monto, estado: 'autorizado' })
    await t.rejects(psql("update convenios set estado = 'firmado' where contract_id = $1", [other]), violates('convenios_within_contract'))
    t.same(await wrongSums(psql), [])
  })

  await t.test('a signed one is final, agreed amounts are fixed, and numbers have no gaps', async (t) => {
    const id = await contract()
    const { id: signed } = await add(id, { estado: 'firmado' })
    for (const estado of ['borrador', 'autorizado', 'cancelado']) await t.rejects(psql('update convenios set estado = $2 where id = $1', [signed, estado]), violates('convenios_transition'), estado)
    for (const change of ['monto = 2', 'dias = 1', 'con_anticipo = true']) await t.rejects(psql(`update convenios set ${change} where id = $1`, [signed]), violates('convenios_fixed'), change)
    await psql("update convenios set descripcion = 'x', folio = 'y', monto = monto where id = $1", [signed])
    await t.rejects(psql('delete from convenios where id = $1', [signed]), violates('convenios_numbers'))
    await t.rejects(psql('update convenios set contract_id = $2 where id = $1', [signed, await contract()]), violates('convenios_contract_id_fixed'))
    for (let n = 2; n <= 4; n++) await add(id)
    await t.rejects(psql('delete from convenios where contract_id = $1 and numero = 2', [id]), violates('convenios_numbers'))
    t.equal((await psql('delete from convenios where contract_id = $1 and numero > 2 returning id', [id])).length, 2)
    t.match(await add(id), { numero: 3 })
    await t.rejects(psql('delete from contracts where id = $1', [id]), violates('convenios_contract_foreign', '23503'))
  })

  await t.test('days, terms, ceilings and closed contracts are checked', async (t) => {
    const id = await contract()
    await t.rejects(add(id, { estado: 'autorizado', fecha_autorizacion: null }), violates('convenios_fecha_autorizacion_check'))
    await t.rejects(add(id, { estado: 'firmado', fecha_firma: null }), violates('convenios_fecha_firma_check'))
    await t.rejects(add(id, { dias: '36501' }), violates('convenios_dias_check'))
    await t.rejects(add(id, { estado: 'otro' }), violates('convenios_estado_check'))
    await t.rejects(add(id, { estado: 'firmado', dias: -365 }), violates('convenios_term'))
    await t.rejects(add(await contract(1, null), { estado: 'firmado', dias: 1 }), violates('convenios_term'))
    await t.rejects(add(await contract(10_000_000), { estado: 'firmado', monto: '9999999990000000' }), violates('convenios_contract_monto'))

    await psql("insert into estimates (company_id, contract_id, monto, estado) values (1, $1, 900, 'autorizada')", [id])
    await add(id, { monto: '50', estado: 'autorizado' })
    await psql("insert into estimates (company_id, contract_id, monto, estado) values (1, $1, 150, 'autorizada')", [id])
    await t.rejects(psql("insert into estimates (company_id, contract_id, monto, estado) values (1, $1, 0.01, 'autorizada')", [id]), violates('estimates_within_contract'))
    await t.rejects(psql("update convenios set estado = 'cancelado' where contract_id = $1", [id]), violates('convenios_extra_in_use'))
    await t.rejects(psql('update contracts set monto = 999.99 where id = $1', [id]), violates('contracts_authorized'))
    await t.rejects(add(id, { monto: '-0.01', estado: 'firmado' }), violates('convenios_within_contract'))
    await psql("update convenios set estado = 'firmado' where contract_id = $1", [id])
    await t.rejects(psql('update contracts set monto = 2000 where id = $1', [id]), violates('contracts_monto_agreed'))
    await t.rejects(psql("update contracts set fecha_fin = '2030-01-01' where id = $1", [id]), violates('contracts_fecha_fin_agreed'))
    await psql("update contracts set descripcion = 'x', monto = 1050, fecha_fin = '2026-12-31' where id = $1", [id])
    // One statement for many contracts: the last one is the broken one.
    const others = await Promise.all([1, 2, 3].map(async () => await contract()))
    await t.rejects(psql('update contracts set monto = 2000 where id = any ($1)', [[...others, id]]), violates('contracts_monto_agreed'))
    t.equal((await psql('update contracts set monto = 2000 where id = any ($1) returning id', [others])).length, others.length)

    const cancelled = await contract()
    const { id: draft } = await add(cancelled)
    await psql("update contracts set estado = 'cancelado' where id = $1", [cancelled])
    await t.rejects(add(cancelled), violates('convenios_contract_open'))
    await t.rejects(psql("update convenios set estado = 'enviado' where id = $1", [draft]), violates('convenios_contract_not_cancelled'))
    await psql("update convenios set estado = 'cancelado' where id = $1", [draft])
  })

  await t.test('the contract is in the same company', async (t) => {
    const [{ id: theirs }] = await psql('select id from contracts where company_id = 3 limit 1') as [{ id: number }]
    await t.rejects(add(theirs), violates('convenios_contract_foreign', '23503'))
    for (const estado of ['autorizado', 'firmado']) await t.rejects(add(theirs, { estado }), violates('convenios_contract_foreign', '23503'), estado)
    await t.rejects(add(await contract(), {}, 3), violates('convenios_contract_foreign', '23503'))
  })
  t.same(await wrongSums(psql), [])
})

t.test('the amounts of estimates leave out the advance of change orders, also for servers of an earlier release', async (t) => {
  const { psql } = await openTestDatabase(t)
  await psql("select set_config('app.companies', '{1}', false)")
  const [{ id }] = await psql("insert into contracts (company_id, folio, monto, anticipo_porcentaje, fecha_fin) values (1, 'AMOUNTS', 1000, 30, '2026-12-31') returning id") as [{ id: number }]
  await psql("insert into estimates (company_id, contract_id, monto, estado) select 1, $1, n * 100, 'autorizada' from generate_series(1, 2) n", [id])
  await psql("insert into convenios (company_id, contract_id, monto, dias, estado, fecha_autorizacion, fecha_firma) values (1, $1, 200, 10, 'firmado', '2026-04-20', '2026-05-04')", [id])
  t.same(await psql(`
    select c.monto, c.fecha_fin::text, a.amortizacion, (b.amortizacion, b.retencion, b.subtotal, b.iva, b.neto) = (a.amortizacion, a.retencion, a.subtotal, a.iva, a.neto) as same
    from contracts c
    cross join estimate_amounts(c.company_id, c.id, null::bigint, 'ordinaria', 1000, 0, 0, 0, 30, 0, 0, 0, true, 0, 0, 0) a
    cross join estimate_amounts(c.company_id, c.id, 1000, 0, 30, 0, 0) b
    where c.id = $1`, [id]),
  [{ monto: '1200.00', fecha_fin: '2027-01-10', amortizacion: '210.00', same: true }],
  'the advance of 300.00 leaves out the change order')
})
