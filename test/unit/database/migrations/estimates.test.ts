import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { moved, toAuthorized } from '../../../support/moved.ts'

t.test('the database enforces the rules of estimates for every role, also the superuser', async (t) => {
  const { psql } = await openTestDatabase(t)
  const one = async (text: string, values: unknown[] = []) => (await psql(text, values))[0]
  let folios = 0
  const contract = async (monto = 1000, anticipo = 10) =>
    (await one('insert into contracts (company_id, folio, monto, anticipo_porcentaje, retencion_porcentaje) values (1, $1, $2, $3, 5) returning id', [`W-${++folios}`, monto, anticipo]))['id'] as number
  const add = async (of: number, fields: Record<string, unknown> = {}, company = 1) => {
    const values = Object.entries({ company_id: company, contract_id: of, monto: '1', ...fields })
    return await one(`insert into estimates (${values.map(([name]) => name).join(', ')}) values (${values.map((_, index) => `$${index + 1}`).join(', ')}) returning *`, values.map(([, value]) => value))
  }
  const violates = (constraint: string, code = '23514') => ({ code, constraint })

  await t.test('amounts are derived at authorization, whatever a statement sets, also in an insert', async (t) => {
    const id = await contract()
    t.match(await add(id, { monto: '100', neto: '7', iva: '8' }), { estado: 'borrador', amortizacion: null, neto: null })
    t.match(await add(id, { monto: '100', estado: 'autorizada', neto: '7' }), { numero: 2, amortizacion: '10.00', retencion: '4.50', subtotal: '85.50', iva: '13.68', neto: '99.18' })
    await psql("update estimates set estado = 'enviada' where contract_id = $1 and numero = 1", [id])
    t.match(await one("update estimates set estado = 'autorizada', subtotal = 1 where contract_id = $1 and numero = 1 returning *", [id]), { subtotal: '85.50', neto: '99.18' })
    t.match(await one("update estimates set estado = 'pagada' where contract_id = $1 and numero = 1 returning *", [id]), { subtotal: '85.50', neto: '99.18' })
  })

  await t.test('the authorized total cannot exceed the contract\'s amount, in one statement or several', async (t) => {
    const id = await contract(100, 0)
    const within = violates('estimates_within_contract')
    await t.rejects(add(id, { monto: '100.01', estado: 'autorizada' }), within)
    await add(id, { monto: '60' })
    await add(id, { monto: '60' })
    await t.rejects(moved(psql, 'estimates', toAuthorized, 'contract_id = $1', [id]), within)
    await psql("update estimates set estado = 'autorizada' where contract_id = $1 and numero = 1", [id])
    await t.rejects(psql("update estimates set estado = 'autorizada' where contract_id = $1 and numero = 2", [id]), within)
    await t.rejects(psql('update contracts set monto = 59.99 where id = $1', [id]), violates('contracts_authorized'))
    t.equal((await psql('update contracts set monto = 60 where id = $1 returning id', [id])).length, 1)
  })

  await t.test('an authorized estimate cannot change', async (t) => {
    const id = await contract()
    const { id: fixed } = await add(id, { monto: '100', estado: 'autorizada' })
    for (const change of ['monto = 99', 'deductivas = 1', 'amortizacion = 0', 'retencion = 0', 'subtotal = 0', 'iva = 0', 'neto = 0', 'neto = null']) {
      await t.rejects(psql(`update estimates set ${change} where id = $1`, [fixed]), violates('estimates_fixed'), change)
    }
    for (const estado of ['borrador', 'rechazada', 'cancelada']) {
      await t.rejects(psql('update estimates set estado = $2 where id = $1', [fixed, estado]), violates('estimates_transition'), estado)
    }
    await t.rejects(psql('delete from estimates where id = $1', [fixed]), violates('estimates_numbers'))
    await psql('update contracts set monto = 5000, anticipo_porcentaje = 100, retencion_porcentaje = 0 where id = $1', [id])
    t.match(await one("update estimates set estado = 'pagada', descripcion = 'x' where id = $1 returning *", [fixed]), { amortizacion: '10.00', neto: '99.18', anticipo_porcentaje: '10.00' })
  })

  await t.test('authorizations have an order, in which the last one can be undone', async (t) => {
    const id = await contract(1000, 30)
    const order = async () => (await psql('select numero, autorizacion from estimates where contract_id = $1 order by numero', [id])).map(({ autorizacion }) => autorizacion)
    const sums = async () => await one('select autorizado, amortizacion from contract_sums where contract_id = $1', [id])
    for (let n = 1; n <= 4; n++) await add(id, { monto: '100' })
    t.match(await add(id, { monto: '100', estado: 'autorizada' }), { numero: 5, autorizacion: 1 })
    await moved(psql, 'estimates', toAuthorized, 'contract_id = $1 and numero in (2, 3)', [id])
    await moved(psql, 'estimates', toAuthorized, 'contract_id = $1 and numero = 1', [id])
    t.same((await order()).slice(0, 1).concat((await order()).slice(3)), [4, null, 1])
    t.same((await order()).slice(1, 3).sort(), [2, 3], 'those of one statement have different positions')
    t.same(await sums(), { autorizado: '400.00', amortizacion: '120.00' })
    const undo = async (numero: number) => await psql("update estimates set estado = 'enviada' where contract_id = $1 and numero = $2 returning amortizacion, neto, autorizacion", [id, numero])
    await t.rejects(undo(5), violates('estimates_last_authorized'))
    await t.rejects(undo(2), violates('estimates_last_authorized'))
    t.same(await undo(1), [{ amortizacion: null, neto: null, autorizacion: null }])
    t.same(await sums(), { autorizado: '300.00', amortizacion: '90.00' })
    await psql("update estimates set estado = 'pagada' where contract_id = $1 and numero = 5", [id])
    await t.rejects(undo(5), violates('estimates_last_authorized'), 'a paid one never')
    await t.rejects(psql("update estimates set estado = 'enviada', monto = 1 where contract_id = $1 and autorizacion = 3", [id]), violates('estimates_fixed'))
  })

  await t.test('contract, numero and percentages cannot change; numbers have no gaps', async (t) => {
    const [id, other] = [await contract(), await contract()]
    const { id: first } = await add(id)
    for (let n = 2; n <= 4; n++) await add(id)
    await t.rejects(psql('update estimates set contract_id = $2 where id = $1', [first, other]), violates('estimates_contract_id_fixed'))
    for (const change of ['numero = 9', 'anticipo_porcentaje = 0', 'retencion_porcentaje = 0', 'iva_porcentaje = 0', 'derechos_porcentaje = 1', 'retencion_antes_iva = false']) {
      await t.rejects(psql(`update estimates set ${change} where id = $1`, [first]), violates('estimates_identity'), change)
    }
    await t.rejects(psql('delete from estimates where contract_id = $1 and numero in (1, 4)', [id]), violates('estimates_numbers'))
    t.equal((await psql('delete from estimates where contract_id = $1 and numero > 2 returning id', [id])).length, 2)
    t.match(await add(id), { numero: 3 })
    t.equal((await psql('delete from estimates where contract_id = $1 returning id', [id])).length, 3, 'deleting all leaves no gap')
  })

  await t.test('periods of a contract’s live estimates do not overlap', async (t) => {
    const [id, other] = [await contract(), await contract()]
    const period = (start: string, end: string) => ({ periodo_inicio: start, periodo_fin: end })
    const overlapping = violates('estimates_periodo_exclusion', '23P01')
    await add(id, period('2026-01-01', '2026-01-31'))
    await add(other, period('2026-01-01', '2026-01-31'))
    await t.rejects(add(id, period('2026-01-31', '2026-02-28')), overlapping)
    const { id: cancelled } = await add(id, { ...period('2026-01-31', '2026-02-28'), estado: 'cancelada' })
    await t.rejects(psql("update estimates set estado = 'borrador' where id = $1", [cancelled]), violates('estimates_transition'))
    const { id: rejected } = await add(id, { ...period('2026-01-31', '2026-02-28'), estado: 'rechazada' })
    await t.rejects(psql("update estimates set estado = 'borrador' where id = $1", [rejected]), overlapping)
    for (const half of [', periodo_fin = null', ", periodo_inicio = '2026-02-01'"]) await t.rejects(psql(`update estimates set descripcion = '' ${half} where contract_id = $1 and numero = 1`, [id]), { code: /^(23514|22000)$/ })
    await t.rejects(add(id, period('2026-05-02', '2026-05-01')), { code: /^(23514|22000)$/ })
  })

  await t.test('the contract is in the same company, enforced by the key with and without the trigger', async (t) => {
    const foreign = violates('estimates_contract_foreign', '23503')
    const [theirs] = await psql('select id from contracts where company_id = 3 limit 1') as [Row]
    await t.rejects(add(theirs['id']), foreign)
    await t.rejects(add(await contract(), {}, 3), foreign)
    await psql('alter table estimates disable trigger keep_estimate, disable trigger fixed_contract_id')
    const { id } = await add(await contract(), { numero: '1', anticipo_porcentaje: '0', retencion_porcentaje: '0', iva_porcentaje: '0', derechos_porcentaje: '0', retencion_antes_iva: 'true' })
    await t.rejects(psql('update estimates set contract_id = $2 where id = $1', [id, theirs['id']]), foreign)
    await psql('alter table estimates enable trigger keep_estimate, enable trigger fixed_contract_id')
    await t.rejects(psql('delete from contracts where id = (select contract_id from estimates where id = $1)', [id]), foreign)
  })

  await t.test('invalid values are refused', async (t) => {
    const id = await contract()
    await add(id, { external_id: '1' })
    for (const wrong of [{ monto: '1e16' }, { deductivas: '-1' }, { estado: 'otro' }, { estado: null }, { external_id: '1' }, { descripcion: 'x'.repeat(2001) }]) {
      await t.rejects(add(id, wrong), { code: /^2[23]/ }, JSON.stringify(wrong))
    }
    await t.rejects(psql('update estimates set company_id = 3 where contract_id = $1', [id]), { code: /^23/ })
    await t.rejects(add(id, { monto: '-0.01' }), violates('estimates_monto_check'))
    await t.rejects(add(id, { monto: '90', deductivas: '90', estado: 'autorizada' }), violates('estimates_subtotal'))
  })

  await t.test('each write raises the revision, the counter and the change log', async (t) => {
    const state = async () => await one('select revision, estimates, (select count(*) from estimates e where e.company_id = r.company_id) as real from company_revisions r where company_id = 1')
    const id = await contract()
    const before = await state()
    t.equal(before['estimates'], before['real'])
    const { id: made, version } = await add(id)
    t.match(await one('update estimates set monto = 2 where id = $1 returning version', [made]), { version: version + 1 })
    await psql('delete from estimates where id = $1', [made])
    t.same(await state(), { ...before, revision: before['revision'] + 3 })
    t.same(await psql("select operation::text, revision from changes where resource = 'estimates' and record_id = $1 order by revision", [made]),
      ['insert', 'update', 'delete'].map((operation, n) => ({ operation, revision: before['revision'] + 1 + n })))
    await t.rejects(psql('truncate estimates'), { code: '0A000' })
  })
})
