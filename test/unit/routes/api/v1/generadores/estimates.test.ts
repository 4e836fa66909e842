import t from 'tap'
import { None } from '../../../../../support/none.ts'
import { buildSites } from '../../../../../support/site.ts'

const { server, newSite } = await buildSites(t)
const { psql } = server

t.test('lines replace the given amount, and without the last one it is zero', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '100', '0.333333']])
  const estimate = await site.estimate({ monto: '77.00' })
  const { id } = await site.measure(estimate, 'A', '3')
  t.match(await site.read(estimate), { monto: '30.00', lineas: 1, version: 2 })
  const other = await site.measure(estimate, 'B', '1')
  t.match(await site.read(estimate), { monto: '30.33', lineas: 2, version: 3 })
  const refused = await site.patch(estimate, { monto: '30.34' })
  t.strictSame([refused.statusCode, refused.json().codes], [400, { monto: ['derived'] }])
  t.equal((await site.patch(estimate, { monto: '30.33', descripcion: 'x' })).statusCode, 200, 'the same amount')
  await t.rejects(psql('update estimates set monto = 1 where id = $1', [estimate]), { code: '23514', constraint: 'estimates_monto_derived' })
  await t.rejects(psql('update estimates set lineas = 0 where id = $1', [estimate]), { code: '23514', constraint: 'estimates_monto_derived' })
  for (const line of [id, other.id]) t.equal((await site.client.send('DELETE', `generadores/${line}/`)).statusCode, 204)
  t.match(await site.read(estimate), { monto: '0.00', lineas: 0, version: 6 })
  t.match((await site.patch(estimate, { monto: '5.00' })).json(), { monto: '5.00' })
})

t.test('every write of a line raises the version of its estimate', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const { id } = await site.measure(estimate, 'A', '3')
  const tag = (await site.client.get(`estimates/${estimate}/`)).headers.etag as string
  await site.client.send('PATCH', `generadores/${id}/`, { ubicacion: 'Eje B' })
  t.match(await site.read(estimate), { version: 3, monto: '30.00' })
  t.equal((await site.client.send('PATCH', `estimates/${estimate}/`, { estado: 'enviada' }, { 'if-match': tag })).statusCode, 412)
  await site.client.post('generadores/bulk/', { items: [1, 2, 3].map(cantidad => ({ estimate, concepto: site.conceptos['A'], cantidad })) })
  t.match(await site.read(estimate), { version: 4, monto: '90.00' }, 'once for a bulk')
})

t.test('lines change only in a draft', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const { id } = await site.measure(estimate, 'A', '3')
  const body = { estimate, concepto: site.conceptos['A'], cantidad: '1' }
  const writes = async () => [
    await site.client.post('generadores/', body), await site.client.post('generadores/bulk/', { items: [body] }),
    await site.client.send('PATCH', `generadores/${id}/`, { cantidad: '4' }), await site.client.send('PUT', `generadores/${id}/`, body),
    await site.client.send('DELETE', `generadores/${id}/`)
  ]
  for (const estado of ['enviada', 'rechazada', 'borrador', 'enviada', 'autorizada', 'pagada']) {
    const changed = await site.patch(estimate, { estado, motivo_rechazo: 'Falta el croquis' })
    t.equal(changed.statusCode, 200, changed.body)
    if (estado === 'borrador') continue
    for (const response of await writes()) t.strictSame([response.statusCode, response.json().code], [409, 'conflict'], estado)
    await t.rejects(psql('update generadores set cantidad = 9 where id = $1', [id]), { code: '23514' }, estado)
    await t.rejects(psql('delete from generadores where id = $1', [id]), { code: '23514' }, estado)
    t.equal((await site.client.send('PATCH', `generadores/${id}/`, { external_id: `ERP-${estado}-${id}` })).statusCode, 200, 'the external id stays writable')
  }
  t.match(await site.read(estimate), { monto: '30.00' })
  const partial = await site.client.post('generadores/bulk/', { partial: true, items: [body, { ...body, estimate: await site.estimate() }] })
  t.match(partial.json().results, [{ codes: { non_field_errors: ['conflict'] } }, { cantidad: '1.0000' }])
})

t.test('concepts are of the same contract', async (t) => {
  const [site, other] = [await newSite([['A', '100', '10']]), await newSite([['A', '100', '10']])]
  const estimate = await site.estimate()
  const body = { estimate, concepto: other.conceptos['A'], cantidad: '1' }
  const refused = await site.client.post('generadores/', body)
  t.strictSame([refused.statusCode, refused.json().codes], [400, { concepto: ['other_contract'] }])
  const bulk = await site.client.post('generadores/bulk/', { items: [{ ...body, concepto: site.conceptos['A'] }, body, { ...body, concepto: 999_999 }] })
  t.strictSame([bulk.statusCode, bulk.json().codes], [400, { 'items.1.concepto': ['other_contract'], 'items.2.concepto': ['does_not_exist'] }])
  const { id } = await site.measure(estimate, 'A', '1')
  t.strictSame((await site.client.send('PATCH', `generadores/${id}/`, { concepto: other.conceptos['A'] })).json().codes, { concepto: ['immutable'] })
  await t.rejects(psql('insert into generadores (company_id, estimate_id, concepto_id, cantidad) values (1, $1, $2, 1)', [estimate, other.conceptos['A']]), { code: '23503', constraint: 'generadores_concepto_foreign' })
})

t.test('a draft can be negative; an estimate that is sent cannot', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '100', '1']], { retencion_porcentaje: '100.00' })
  const estimate = await site.estimate()
  await site.measure(estimate, 'A', '-3')
  t.match(await site.read(estimate), { monto: '-30.00', amortizacion: '0.00', retencion: '-30.00', subtotal: '0.00' })
  const record = await site.read(estimate)
  t.equal((await site.client.send('PUT', `estimates/${estimate}/`, record)).json().version, record.version, 'GET → PUT changes nothing')
  t.strictSame((await site.patch(estimate, { estado: 'enviada' })).json().codes, { monto: ['min_value'] })
  await site.measure(estimate, 'A', '3')
  await site.measure(estimate, 'B', '5')
  t.equal((await site.patch(estimate, { deductivas: '1.00' })).statusCode, 200, 'a draft with lines can have any deductions')
  t.strictSame((await site.patch(estimate, { estado: 'enviada' })).json().codes, { deductivas: ['deductions_too_large'] })
  await site.patch(estimate, { deductivas: '0.00' })
  t.equal((await site.patch(estimate, { estado: 'enviada' })).statusCode, 200)
  t.strictSame((await site.client.post('estimates/', { contract: site.contract, monto: '-1' })).json().codes, { monto: ['min_value'] })
})

t.test('a negative quantity corrects earlier estimates, but not below zero', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '100', '10']])
  const first = await site.estimate()
  await site.measure(first, 'A', '5')
  await site.authorize(first)
  const second = await site.estimate()
  const { id } = await site.measure(second, 'A', '-5.0001')
  await site.measure(second, 'B', '6')
  await site.patch(second, { estado: 'enviada' })
  t.strictSame((await site.patch(second, { estado: 'autorizada' })).json().codes, { estado: ['quantity_negative'] })
  await t.rejects(psql("update estimates set estado = 'autorizada' where id = $1", [second]), { code: '23514', constraint: 'estimates_quantity_negative' })
  await site.patch(second, { estado: 'borrador' })
  await site.client.send('PATCH', `generadores/${id}/`, { cantidad: '-5' })
  t.match(await site.authorize(second), { monto: '10.00', estado: 'autorizada' })
  t.match((await site.client.get(`conceptos/${site.conceptos['A']}/`)).json(), { cantidad_estimada: '0.0000' })
})

t.test('a new price changes all estimates that are not authorized', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '100', '1']])
  const ids: Record<string, number> = {}
  for (const estado of ['borrador', 'enviada', 'rechazada', 'cancelada']) {
    const id = ids[estado] = await site.estimate()
    await site.measure(id, 'A', '2')
    await site.measure(id, 'B', '3')
    for (const to of { borrador: [], enviada: ['enviada'], rechazada: ['enviada', 'rechazada'], cancelada: ['cancelada'] }[estado] ?? []) await site.patch(id, { estado: to, motivo_rechazo: 'No' })
  }
  const before = (await site.read(ids['borrador'])).version
  t.equal((await site.client.send('PATCH', `conceptos/${site.conceptos['A']}/`, { precio_unitario: '20' })).statusCode, 200)
  for (const [estado, id] of Object.entries(ids)) t.match(await site.read(id), { estado, monto: '43.00' })
  t.equal((await site.read(ids['borrador'])).version, before + 1)
  await site.client.send('PATCH', `conceptos/${site.conceptos['A']}/`, { descripcion: 'Losa' })
  t.equal((await site.read(ids['borrador'])).version, before + 1, 'no other change does')
  await psql('update conceptos set precio_unitario = 5 where id = any ($1)', [[site.conceptos['A'], site.conceptos['B']]])
  t.match(await site.read(ids['enviada']), { monto: '25.00' })
})

t.test('deletes: a used concept is protected, a draft estimate takes its measurements along', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '1', '1']])
  const estimate = await site.estimate()
  const { id } = await site.measure(estimate, 'A', '2')
  const used = await site.client.send('DELETE', `conceptos/${site.conceptos['A']}/`)
  t.match([used.statusCode, used.json()], [409, { code: 'protected', detail: /measurements/ }])
  t.equal((await site.client.send('DELETE', `conceptos/${site.conceptos['B']}/`)).statusCode, 204)
  t.equal((await site.client.send('DELETE', `contracts/${site.contract}/`)).statusCode, 409)
  t.equal((await site.client.send('DELETE', `estimates/${estimate}/`)).statusCode, 204)
  t.equal((await site.client.get(`generadores/${id}/`)).statusCode, 404)
  t.strictSame(await psql('select * from estimate_lines where estimate_id = $1', [estimate]), [])
  t.equal((await site.client.send('DELETE', `conceptos/${site.conceptos['A']}/`)).statusCode, 204)
})

t.test('an undone authorization returns the lines to the estimate', async (t) => {
  const site = await newSite([['A', '10', '10']])
  const estimate = await site.estimate()
  await site.measure(estimate, 'A', '12')
  await site.measure(estimate, 'A', '-2')
  await site.authorize(estimate)
  const estimated = async () => (await site.client.get(`conceptos/${site.conceptos['A']}/`)).json().cantidad_estimada
  t.equal(await estimated(), '10.0000')
  t.equal((await site.patch(estimate, { estado: 'enviada' })).statusCode, 200)
  t.equal(await estimated(), '0.0000')
  t.strictSame(await psql('select con_lineas, monto_lineas from contract_sums where contract_id = $1', [site.contract]), [{ con_lineas: 0, monto_lineas: '0.00' }])
  await site.patch(estimate, { estado: 'borrador' })
  await site.measure(estimate, 'A', '-3')
  t.match(await site.authorize(estimate), { monto: '70.00', avisos: None })
  t.equal(await estimated(), '7.0000')
})
