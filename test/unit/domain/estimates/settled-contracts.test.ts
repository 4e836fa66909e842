import { randomUUID } from 'node:crypto'
import t from 'tap'
import { estimating } from '../../../support/estimating.ts'
import { refuses } from '../../../support/invalid.ts'
import { succeeded } from '../../../support/succeeded.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { messages } from '../../../../src/http/messages.ts'
import { settled, waits } from './settled.ts'

const pending = { estado: [messages.en.pending] }
const noWork = [messages.en.noWork]

t.test('a settled contract', async (t) => {
  const { director, as, contract, estimate, change, send, read, psql } = await estimating(t)
  const coordinador = await as('coordinador@demo.example')
  const patch = async (resource: string, id: number, fields: object) => await director.send('PATCH', `${resource}/${id}/`, fields)
  const make = async (resource: string, body: object) => succeeded(await director.post(`${resource}/`, body))
  /** A contract that an authorized finiquito has settled. */
  const settle = async (fields: object = {}) => {
    const id = await contract(fields)
    return { id, finiquito: (await estimate(id, { tipo: 'finiquito', monto: '10' }, 'autorizada'))['id'] as number }
  }
  const constraintOf = async (text: string, values: unknown[] = []) => await psql(text, values).then(() => undefined, ({ constraint }) => constraint)

  await t.test('stays terminado, with its finiquito authorized', async (t) => {
    const { id, finiquito } = await settle()
    for (const estado of ['vigente', 'suspendido', 'cancelado']) {
      const response = await patch('contracts', id, { estado })
      t.equal(response.statusCode, 400)
      if (estado === 'vigente') refuses(t, response, { estado: settled })
      t.ok(['contracts_not_settled', 'contracts_without_authorization', 'contracts_transition'].includes(await constraintOf('update contracts set estado = $2 where id = $1', [id, estado]) ?? ''), estado)
    }
    refuses(t, await send(finiquito, { estado: 'enviada' }), { estado: ['"autorizada" cannot change to "enviada". It can change to: pagada.'] })
    t.equal(await constraintOf("update estimates set estado = 'enviada' where id = $1", [finiquito]), 'estimates_transition')
    succeeded(await patch('contracts', id, { descripcion: 'Liquidado' }))
    t.equal((await director.send('DELETE', `estimates/${finiquito}/`)).statusCode, 409)
    succeeded(await director.send('PUT', `estimates/${finiquito}/`, await read(finiquito)))
  })

  await t.test('keeps the order of its authorizations: nothing is undone, payments are', async (t) => {
    const id = await contract({ iva_porcentaje: '0' })
    const { id: first } = await estimate(id, { monto: '100' }, 'autorizada')
    await estimate(id, { tipo: 'finiquito' }, 'autorizada')
    const refused = await send(first, { estado: 'enviada' })
    t.equal(refused.statusCode, 400)
    t.ok(refused.json().errors.estado.includes(settled[0]))
    t.equal(await constraintOf("update estimates set estado = 'enviada' where id = $1", [first]), 'estimates_contract_not_settled')
    const { id: payment } = await make('pagos', { estimate: first, importe: '100', fecha: '2026-06-01' })
    t.match(await read(first), { estado: 'pagada' })
    t.equal((await director.send('DELETE', `pagos/${payment}/`)).statusCode, 204)
    t.match(await read(first), { estado: 'autorizada' })
  })

  await t.test('gets no estimates, convenios and conceptos; a waiting convenio is only rejected or cancelled', async (t) => {
    const id = await contract()
    const orders = []
    for (const estado of ['borrador', 'enviado', 'enviado']) {
      const { id: order } = await make('convenios', { contract: id, monto: '5' })
      if (estado !== 'borrador') succeeded(await patch('convenios', order, { estado }))
      orders.push(order as number)
    }
    await estimate(id, { tipo: 'finiquito' }, 'autorizada')
    const [draft = 0, sent = 0, other = 0] = orders
    for (const [resource, body] of [['convenios', {}], ['conceptos', { clave: 'A', unidad: 'm', cantidad: '1', precio_unitario: '1' }], ['conceptos', { convenio: draft, clave: 'A', unidad: 'm', cantidad: '1', precio_unitario: '1' }]] as const) {
      refuses(t, await director.post(`${resource}/`, { contract: id, ...body }), { contract: settled }, resource)
      t.match((await director.post(`${resource}/bulk/`, { items: [{ contract: id, ...body }] })).json().errors, { 'items.0.contract': settled })
    }
    t.match((await director.post('convenios/', { contract: id }, { 'accept-language': 'es' })).json().errors, { contract: [messages.es.contractSettled] })
    for (const tipo of ['ordinaria', 'anticipo']) {
      const response = await director.post('estimates/', { contract: id, tipo, ...tipo === 'anticipo' ? { anticipo: '1' } : {} })
      refuses(t, response, { contract: [messages.en.contractClosed] }, tipo)
      t.equal(await constraintOf(`insert into estimates (company_id, contract_id, tipo, anticipo) values (1, $1, '${tipo}', ${tipo === 'anticipo' ? 1 : 0})`, [id]), 'estimates_contract_open')
    }
    refuses(t, await patch('convenios', draft, { estado: 'enviado' }), { estado: settled })
    refuses(t, await patch('convenios', sent, { estado: 'autorizado', fecha_autorizacion: '2026-06-01' }), { estado: settled })
    t.equal(await constraintOf("update convenios set estado = 'autorizado', fecha_autorizacion = '2026-06-01' where id = $1", [sent]), 'convenios_contract_not_settled')
    t.equal(await constraintOf('insert into convenios (company_id, contract_id) values (1, $1)', [id]), 'convenios_contract_unsettled')
    t.equal(await constraintOf("insert into conceptos (company_id, contract_id, clave, unidad, cantidad, precio_unitario) values (1, $1, 'A', 'm', 1, 1)", [id]), 'conceptos_contract_unsettled')
    succeeded(await patch('convenios', sent, { estado: 'rechazado', motivo_rechazo: 'Tarde' }))
    refuses(t, await patch('convenios', sent, { estado: 'borrador' }), { estado: settled })
    succeeded(await patch('convenios', other, { estado: 'cancelado' }))
    succeeded(await patch('convenios', draft, { descripcion: 'Sin efecto' }))
    t.same(await wrongSums(psql), [])
  })

  await t.test('takes later finiquitos without work', async (t) => {
    const id = await contract()
    const { id: rejected } = await estimate(id, { tipo: 'finiquito', monto: '10', external_id: 'con-monto' }, 'rechazada')
    const { id: ordinary } = await estimate(id, { monto: '10' }, 'rechazada')
    await estimate(id, { tipo: 'finiquito' }, 'autorizada')
    refuses(t, await send(rejected, { estado: 'borrador' }), { monto: noWork })
    t.equal(await constraintOf("update estimates set estado = 'borrador' where id = $1", [rejected]), 'estimates_no_work_check')
    succeeded(await send(rejected, { descripcion: 'Rechazada' }))
    refuses(t, await send(ordinary, { estado: 'borrador' }), { estado: settled })
    t.equal(await constraintOf("update estimates set estado = 'borrador' where id = $1", [ordinary]), 'estimates_contract_not_settled')
    const { id: later } = await estimate(id, { tipo: 'finiquito' })
    refuses(t, await send(later, { monto: '1' }), { monto: noWork })
    t.equal(await constraintOf('update estimates set monto = 1 where id = $1', [later]), 'estimates_no_work_check')
    t.equal(await constraintOf("insert into estimates (company_id, contract_id, tipo, monto, estado) values (1, $1, 'finiquito', 1, 'borrador')", [id]), 'estimates_no_finiquito')
    t.equal((await director.send('DELETE', `estimates/${later}/`)).statusCode, 204)
    t.equal(await constraintOf("insert into estimates (company_id, contract_id, tipo, monto) values (1, $1, 'finiquito', 1)", [id]), 'estimates_no_work_check')
    await estimate(id, { tipo: 'finiquito' }, 'autorizada')
    t.same(await wrongSums(psql), [])
  })

  await t.test('keeps its amounts, percentages, days and currency, whoever writes', async (t) => {
    const { id } = await settle({ external_id: 'cerrado', fecha_inicio: '2026-01-01', anticipo_porcentaje: '10' })
    const others = {
      monto: '2000.00',
      fecha_inicio: '2026-01-02',
      fecha_fin: '2026-12-31',
      anticipo_porcentaje: '30.00',
      retencion_porcentaje: '1.00',
      iva_porcentaje: '8.00',
      derechos_porcentaje: '0.50',
      retencion_antes_iva: false
    }
    const problems = Object.fromEntries(Object.keys(others).map(field => [field, settled]))
    const before = (await director.get(`contracts/${id}/`)).json()
    refuses(t, await patch('contracts', id, others), problems)
    refuses(t, await director.send('PUT', `contracts/${id}/`, { ...before, ...others }), problems)
    refuses(t, await patch('contracts', id, { moneda: 'USD' }), { moneda: [...settled, messages.en.currencyInUse] })
    t.match((await director.send('PATCH', `contracts/${id}/`, { monto: '1' }, { 'accept-language': 'es' })).json(), { errors: { monto: [messages.es.contractSettled] }, codes: { monto: ['contract_closed'] } })
    const items = [{ folio: before.folio, external_id: 'cerrado', ...others }]
    refuses(t, await director.post('contracts/bulk/', { upsert: 'external_id', items }), Object.fromEntries(Object.keys(others).map(field => [`items.0.${field}`, settled])))
    const mutations = [{ id: 1, op: 'update', resource: 'contracts', record: id, body: others }]
    t.strictSame((await director.post('mutations/', { device: randomUUID(), mutations })).json().results[0].errors, problems)
    for (const [field, value] of Object.entries(others)) t.equal(await constraintOf(`update contracts set ${field} = $2 where id = $1`, [id, value]), `contracts_${field}_settled`)
    t.equal(await constraintOf("update contracts set moneda = 'USD' where id = $1", [id]), 'contracts_moneda_settled')
    t.strictSame((await director.get(`contracts/${id}/`)).json(), before)
    succeeded(await director.send('PUT', `contracts/${id}/`, { ...before, descripcion: 'Liquidado', external_id: 'otro' }))
    succeeded(await director.post('contracts/bulk/', { upsert: 'external_id', items: [{ ...before, external_id: 'otro', folio: `${before.folio}-L` }] }))
  })

  await t.test('keeps the sum of its catalogue, whose texts can change', async (t) => {
    const id = await contract()
    const rows = []
    for (const clave of ['A', 'B']) rows.push((await make('conceptos', { contract: id, clave, unidad: 'm', cantidad: '10', precio_unitario: '50' })).id as number)
    await estimate(id, { tipo: 'finiquito', monto: '10' }, 'autorizada')
    const [row = 0] = rows
    const problem = { cantidad: settled }
    for (const fields of [{ cantidad: '11' }, { cantidad: '9' }, { precio_unitario: '51' }]) refuses(t, await patch('conceptos', row, fields), problem)
    refuses(t, await director.send('DELETE', `conceptos/${row}/`), problem)
    const mutations = [{ id: 1, op: 'update', resource: 'conceptos', record: row, body: { cantidad: '11' } }]
    t.match((await director.post('mutations/', { device: randomUUID(), mutations })).json().results, [{ status: 400, errors: problem }])
    t.equal(await constraintOf('update conceptos set cantidad = 11 where id = $1', [row]), 'contracts_monto_settled')
    t.equal(await constraintOf('delete from conceptos where contract_id = $1', [id]), 'contracts_monto_settled')
    succeeded(await patch('conceptos', row, { descripcion: 'Muro', capitulo: '01', external_id: 'fila' }))
    t.match((await director.get(`contracts/${id}/`)).json(), { monto: '1000.00' })
    t.same(await wrongSums(psql), [])
  })

  await t.test('has no advance left, even if it agrees on another one', async (t) => {
    const id = await contract({ anticipo_porcentaje: '10', iva_porcentaje: '0' })
    t.match(await estimate(id, { tipo: 'finiquito', monto: '100' }, 'autorizada'), { amortizacion: '100.00' })
    // As earlier releases allowed.
    await psql('alter table contracts disable trigger guard_rows_update')
    await psql('update contracts set monto = 2000, anticipo_porcentaje = 30 where id = $1', [id])
    await psql('alter table contracts enable trigger guard_rows_update')
    // `match` finds '0.00' in '500.00' too.
    const amountsOf = ({ amortizacion, neto }: Record<string, unknown>) => [amortizacion, neto]
    const { id: later, ...draft } = await estimate(id, { tipo: 'finiquito' }, 'enviada')
    t.same(amountsOf(draft), ['0.00', '0.00'])
    t.same(amountsOf(await change(later as number, { estado: 'autorizada' })), ['0.00', '0.00'])
    const repaid = { importe: '100.00', amortizado: '100.00', por_amortizar: '0.00' }
    t.same((await director.get(`contracts/${id}/estado-de-cuenta/`)).json().anticipo, repaid)
    t.same((await director.get(`estimates/${later as number}/caratula/`)).json().anticipo, repaid)
    t.same(await wrongSums(psql), [])
  })

  await t.test('is one whose every estimate is decided and whose convenios are signed', async (t) => {
    const id = await contract()
    const others = [await estimate(id, { monto: '10' }), await estimate(id, { monto: '10' }, 'enviada')].map(one => one['id'] as number)
    const { id: order } = await make('convenios', { contract: id, monto: '5' })
    for (const fields of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-06-01' }]) succeeded(await patch('convenios', order, fields))
    const { id: last } = await estimate(id, { tipo: 'finiquito' }, 'enviada')
    const refused = async () => {
      refuses(t, await send(last, { estado: 'autorizada' }), pending)
      t.equal(await constraintOf("update estimates set estado = 'autorizada' where id = $1", [last]), 'estimates_pending')
    }
    await refused()
    await change(others[0] as number, { estado: 'cancelada' })
    await refused()
    await change(others[1] as number, { estado: 'autorizada' })
    await refused()
    t.match((await send(last, { estado: 'autorizada' }, 'es')).json().errors, { estado: [messages.es.pending] })
    succeeded(await patch('convenios', order, { estado: 'firmado', fecha_firma: '2026-06-02' }))
    t.equal((await coordinador.send('PATCH', `estimates/${last}/`, { estado: 'autorizada' })).statusCode, 403)
    const { version } = (await director.get(`contracts/${id}/`)).json()
    await change(last, { estado: 'autorizada' })
    t.match((await director.get(`contracts/${id}/`)).json(), { estado: 'terminado', version: version + 1 })
    const [entry] = (await director.get(`history/?resource=contracts&record=${id}`)).json().results
    t.match(entry, { operation: 'update', fields: { estado: ['vigente', 'terminado'] }, user: { nombre: 'Diana Directora' } })
  })

  await t.test('needs monto of at least 0.00, not subtotal or neto', async (t) => {
    const id = await contract({ anticipo_porcentaje: '50' })
    t.match(await estimate(id, { tipo: 'finiquito', deductivas: '5000' }, 'autorizada'), { amortizacion: '500.00', subtotal: '-5500.00', neto: '-6380.00' })
    const measured = await contract({ monto: '0' })
    const concepto = (await make('conceptos', { contract: measured, clave: 'A', unidad: 'm', cantidad: '10', precio_unitario: '1' })).id
    const { id: last } = await estimate(measured, { tipo: 'finiquito' })
    await make('generadores', { estimate: last, concepto, cantidad: '-1' })
    refuses(t, await send(last, { estado: 'enviada' }), { monto: [messages.en.sumIsNegative] })
    t.same(await wrongSums(psql), [])
  })
})

t.test('a finiquito that waits', async (t) => {
  const { director, contract, estimate, change, send, psql } = await estimating(t)

  await t.test('lets no other estimate begin, and is the only one', async (t) => {
    const id = await contract()
    const rejected = (await estimate(id, { tipo: 'finiquito' }, 'rechazada'))['id'] as number
    const ordinary = (await estimate(id, { monto: '10' }, 'rechazada'))['id'] as number
    const last = (await estimate(id, { tipo: 'finiquito' }))['id'] as number
    for (const state of ['borrador', 'enviada']) {
      if (state === 'enviada') await change(last, { estado: state })
      for (const tipo of ['ordinaria', 'finiquito']) refuses(t, await director.post('estimates/', { contract: id, tipo }), { contract: waits }, `${tipo}, ${state}`)
      refuses(t, await send(rejected, { estado: 'borrador' }), { estado: waits })
    }
    t.match((await director.post('estimates/', { contract: id }, { 'accept-language': 'es' })).json().errors, { contract: [messages.es.finiquitoExists] })
    t.match(await change(ordinary, { estado: 'borrador' }), { estado: 'borrador' }, 'an earlier estimate can be corrected')
    const constraintOf = async (text: string) => await psql(text).then(() => undefined, ({ constraint }) => constraint)
    t.equal(await constraintOf(`insert into estimates (company_id, contract_id) values (1, ${id})`), 'estimates_no_finiquito')
    t.equal(await constraintOf(`update estimates set estado = 'borrador' where id = ${rejected}`), 'estimates_waiting_finiquito')
    t.equal(await constraintOf(`insert into estimates (company_id, contract_id, tipo, estado) values (1, ${await contract()}, 'finiquito', 'autorizada')`), 'estimates_finiquito_draft')
    t.equal(await constraintOf(`insert into estimates (company_id, contract_id, tipo) select 1, ${await contract()}, 'finiquito' from generate_series(1, 2)`), 'estimates_no_finiquito')
    await change(last, { estado: 'cancelada' })
    await estimate(id)
    t.match(await change(rejected, { estado: 'borrador' }), { estado: 'borrador' })
  })

  await t.test('in bulks counts from its item on', async (t) => {
    const of = async (contract: number, ...kinds: string[]) => kinds.map((tipo, index) => ({ contract, tipo, external_id: `${contract}-${index}` }))
    const id = await contract()
    refuses(t, await director.post('estimates/bulk/', { items: await of(id, 'ordinaria', 'finiquito', 'ordinaria') }), { 'items.2.contract': waits })
    const partial = await director.post('estimates/bulk/', { partial: true, items: await of(id, 'ordinaria', 'finiquito', 'ordinaria', 'finiquito') })
    t.match(partial.json(), { results: [{ numero: 1 }, { numero: 2 }, { errors: { contract: waits } }, { errors: { contract: waits } }] })
    t.equal((await director.post('estimates/bulk/', { items: await of(await contract(), 'ordinaria', 'ordinaria', 'finiquito') })).statusCode, 201)

    // Changes and new records in one request.
    const upsert = async (...items: object[]) => await director.post('estimates/bulk/', { upsert: 'external_id', items: items.map(item => ({ contract: id, ...item })) })
    const [first, last] = partial.json().results
    refuses(t, await upsert({ external_id: `${id}-9` }, { external_id: last.external_id, estado: 'cancelada' }), { 'items.0.contract': waits })
    t.match((await upsert({ external_id: last.external_id, estado: 'cancelada' }, { external_id: `${id}-9`, tipo: 'finiquito' })).json().results, [{ estado: 'cancelada' }, { numero: 3 }])
    for (const external of [first.external_id, `${id}-9`]) succeeded(await upsert({ external_id: external, estado: 'enviada' }))
    refuses(t, await upsert({ external_id: `${id}-9`, estado: 'autorizada' }, { external_id: first.external_id, estado: 'autorizada' }), { 'items.0.estado': pending.estado })
    t.match((await upsert({ external_id: first.external_id, estado: 'autorizada' }, { external_id: `${id}-9`, estado: 'autorizada' })).json().results, [{ estado: 'autorizada' }, { estado: 'autorizada' }])
    t.same(await wrongSums(psql), [])
  })

  await t.test('in mutations counts from its edit on', async (t) => {
    const id = await contract()
    const create = (resource: string, ref: string, fields: object = {}) => ({ op: 'create', resource, ref, body: { contract: id, ...fields } })
    const move = (estado: string) => ({ op: 'update', resource: 'estimates', record: { ref: 'last' }, body: { estado } })
    const mutations = [create('estimates', 'last', { tipo: 'finiquito' }), create('estimates', 'late'), move('enviada'), move('autorizada'), create('convenios', 'order')]
    const response = await director.post('mutations/', { device: randomUUID(), mutations: mutations.map((mutation, index) => ({ id: index + 1, ...mutation })) })
    t.match(response.json().results, [{ status: 201 }, { status: 400, errors: { contract: waits } }, { status: 200 }, { status: 200 }, { status: 400, errors: { contract: settled } }])
    t.match((await director.get(`contracts/${id}/`)).json(), { estado: 'terminado' })
    t.equal((await director.get(`estimates/?contract=${id}`)).json().count, 1)
    t.equal((await director.get(`convenios/?contract=${id}`)).json().count, 0)
  })
})
