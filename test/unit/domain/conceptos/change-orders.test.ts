import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { None } from '../../../support/none.ts'
import { estimating, type Estimating } from '../../../support/estimating.ts'
import { succeeded } from '../../../support/succeeded.ts'

/** A contract with the catalogue of works-examples.md, 4, and helpers that throw if a request fails. */
async function site (estimating: Estimating, fields: object = {}) {
  const { director } = estimating
  const contract = await estimating.contract({ fecha_inicio: '2026-01-01', fecha_fin: '2026-06-29', anticipo_porcentaje: '10.00', ...fields })
  const made = async (path: string, body: object): Promise<Row> => succeeded(await director.post(path, body))
  const row = (clave: string, cantidad: string, precio: string, more: object = {}) => ({ contract, clave, unidad: 'm3', cantidad, precio_unitario: precio, ...more })
  const [a, b] = (await made('conceptos/bulk/', { items: [row('A', '500', '1200'), row('B', '2000', '250')] }))['results'] as [Row, Row]
  const convenio = async (fields: object = {}) => await made('convenios/', { contract, ...fields })
  const days = { fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04' }
  const send = async (id: number, estado: string) => await director.send('PATCH', `convenios/${id}/`, { estado, ...days })
  return { contract, a, b, row, made, convenio, send, read: async (path: string): Promise<Row> => (await director.get(path)).json() }
}

t.test('change orders with a catalogue', async (t) => {
  const of = await estimating(t)
  const { director, estimate, send: change } = of
  const codes = ({ statusCode, json }: { statusCode: number, json: () => any }) => [statusCode, json().codes ?? json().code]

  t.test('additions, extra concepts and reductions (works-examples.md, 4)', async (t) => {
    const { contract, a, row, made, convenio, send, read } = await site(of)
    const first = await estimate(contract)
    await made('generadores/', { estimate: first.id, concepto: a['id'], cantidad: '480' })
    for (const estado of ['enviada', 'autorizada']) t.equal((await change(first.id, { estado })).statusCode, 200)
    t.match(codes(await director.send('PATCH', `conceptos/${a['id']}/`, { cantidad: '600' })), [409, 'conflict'])
    t.equal((await director.send('PATCH', `conceptos/${a['id']}/`, { descripcion: 'Muro', capitulo: '01' })).statusCode, 200)
    t.match(codes(await director.post('conceptos/', row('C', '1', '1'))), [409, 'conflict'])

    const { id } = await convenio({ dias: 50, con_anticipo: true })
    t.strictSame(codes(await director.post('conceptos/', row('A', '180.5', '1300', { convenio: id }))), [400, { precio_unitario: ['differs_from_clave'] }])
    const extra = await made('conceptos/bulk/', { items: [row('A', '180.5', '1200', { convenio: id }), row('EXT-1', '75', '3310.125', { convenio: id }), row('B', '-400', '250', { convenio: id })] })
    const [more, ext, less] = extra['results'] as [Row, Row, Row]
    t.strictSame([more, ext, less].map(one => one['importe']), ['216600.00', '248259.38', '-100000.00'])
    t.match(await read(`convenios/${id}/`), { monto: '364859.38', porcentaje_monto: '33.17', porcentaje_dias: '27.78', avisos: ['monto_25', 'aumento_25', 'dias_25'] })
    t.strictSame(codes(await director.send('PATCH', `convenios/${id}/`, { monto: '1.00' })), [400, { monto: ['derived'] }])

    const draft = await estimate(contract)
    t.strictSame(codes(await director.post('generadores/', { estimate: draft.id, concepto: less['id'], cantidad: '1' })), [400, { concepto: ['reduction'] }])
    for (const [concepto, cantidad] of [[a['id'], '20'], [more['id'], '100'], [ext['id'], '40']]) await made('generadores/', { estimate: draft.id, concepto, cantidad })
    t.match(await of.read(draft.id), { monto: '276405.00', avisos: ['cantidad_excedida', 'convenio_sin_firma'] })
    await change(draft.id, { estado: 'enviada' })
    t.strictSame(codes(await change(draft.id, { estado: 'autorizada' })), [400, { estado: ['convenio_not_authorized'] }])

    const vigente = async () => (await read(`conceptos/?contract=${contract}&ordering=clave`))['results'].map(({ clave, cantidad_vigente: n }: Row) => `${clave} ${n}`)
    t.strictSame(await vigente(), ['A 500.0000', 'A 500.0000', 'B 2000.0000', 'B 2000.0000', 'EXT-1 0.0000'])
    for (const estado of ['enviado', 'autorizado']) t.equal((await send(id, estado)).statusCode, 200)
    t.strictSame(await vigente(), ['A 680.5000', 'A 680.5000', 'B 2000.0000', 'B 2000.0000', 'EXT-1 75.0000'], 'additions count')
    t.match(codes(await director.send('PATCH', `conceptos/${ext['id']}/`, { cantidad: '1' })), [409, 'conflict'])
    t.match(codes(await director.send('DELETE', `conceptos/${ext['id']}/`)), [409, 'conflict'])
    t.equal((await send(id, 'firmado')).statusCode, 200)
    t.strictSame(await vigente(), ['A 680.5000', 'A 680.5000', 'B 1600.0000', 'B 1600.0000', 'EXT-1 75.0000'])
    t.match(await read(`contracts/${contract}/`), { monto: '1464859.38', monto_original: '1100000.00', fecha_fin: '2026-08-18', fecha_fin_original: '2026-06-29' })

    t.equal((await change(draft.id, { estado: 'autorizada' })).statusCode, 200)
    t.match(await of.read(draft.id), { monto: '276405.00', amortizacion: '27640.50', subtotal: '248764.50', iva: '39802.32', neto: '288566.82', avisos: None })
    const { results } = await read(`estimates/${draft.id}/conceptos/`)
    t.strictSame(results.map((one: Row) => [one['clave'], one['cantidad_vigente'], one['anterior'], one['periodo'], one['acumulada'], one['excedente'], one['importe_periodo'], one['importe_acumulado']]), [
      ['A', '680.5000', '480.0000', '20.0000', '500.0000', '0.0000', '24000.00', '600000.00'],
      ['A', '680.5000', '0.0000', '100.0000', '100.0000', '0.0000', '120000.00', '120000.00'],
      ['EXT-1', '75.0000', '0.0000', '40.0000', '40.0000', '0.0000', '132405.00', '132405.00']
    ])

    const { id: second } = await convenio()
    await made('conceptos/', row('A', '-100', '1200', { convenio: second }))
    for (const estado of ['enviado', 'autorizado']) t.equal((await send(second, estado)).statusCode, 200)
    t.strictSame(codes(await send(second, 'firmado')), [400, { estado: ['reduces_executed'] }])
  })

  t.test('lines of a change order without advance repay none (works-examples.md, 3)', async (t) => {
    const { contract, row, made, convenio, send } = await site(of, { anticipo_porcentaje: '30.00' })
    const [work] = (await made('conceptos/bulk/', { upsert: 'clave', items: [row('A', '0', '1200'), row('B', '0', '250'), row('W', '100000', '1')] }))['results'].slice(2)
    const { id } = await convenio()
    const extra = await made('conceptos/', row('X', '20000', '1', { convenio: id }))
    const amounts = async (...lines: Array<[Row, string]>) => {
      const { id: number } = await estimate(contract)
      for (const [concepto, cantidad] of lines) await made('generadores/', { estimate: number, concepto: concepto['id'], cantidad })
      return number
    }
    const first = await amounts([work, '40000'])
    const second = await amounts([work, '35000'], [extra, '10000'])
    t.equal((await of.read(second))['amortizacion'], '10500.00')
    await director.send('PATCH', `convenios/${id}/`, { con_anticipo: true })
    t.equal((await of.read(second))['amortizacion'], '13500.00', 'a draft follows its change order')
    await director.send('PATCH', `convenios/${id}/`, { con_anticipo: false })
    for (const estado of ['enviado', 'autorizado', 'firmado']) t.equal((await send(id, estado)).statusCode, 200)
    const third = await amounts([work, '25000'], [extra, '10000'])
    const expected = [['12000.00', '28000.00', '4480.00', '32480.00'], ['10500.00', '34500.00', '5520.00', '40020.00'], ['7500.00', '27500.00', '4400.00', '31900.00']]
    for (const [index, number] of [first, second, third].entries()) {
      for (const estado of ['enviada', 'autorizada']) t.equal((await change(number, { estado })).statusCode, 200)
      const { amortizacion, subtotal, iva, neto } = await of.read(number)
      t.strictSame([amortizacion, subtotal, iva, neto], expected[index])
    }
  })

  t.test('a cancelled authorization reopens the catalogue', async (t) => {
    const { a, convenio, send } = await site(of)
    const { id } = await convenio({ monto: '10.00' })
    for (const estado of ['enviado', 'autorizado']) await send(id, estado)
    t.equal((await director.send('PATCH', `conceptos/${a['id']}/`, { cantidad: '510' })).statusCode, 409)
    t.equal((await send(id, 'borrador')).statusCode, 200)
    t.equal((await director.send('PATCH', `conceptos/${a['id']}/`, { cantidad: '510' })).statusCode, 200)
  })

  t.test('rows with one code are one concept, in every kind of request', async (t) => {
    const { contract, row, convenio, made } = await site(of)
    const [one, other] = [await convenio(), await convenio()]
    const twice = (price: string) => ({ items: [row('N', '1', '5', { convenio: one['id'] }), row('N', '1', price, { convenio: other['id'] })] })
    t.strictSame(codes(await director.post('conceptos/bulk/', twice('6'))), [400, { 'items.1.precio_unitario': ['differs_from_clave'] }])
    const made2 = (await made('conceptos/bulk/', twice('5')))['results'] as [Row, Row]
    t.strictSame(codes(await director.send('PATCH', `conceptos/${made2[0]['id']}/`, { alzado: true, unidad: 'kg' })), [400, { unidad: ['differs_from_clave'], alzado: ['differs_from_clave'] }])
    await t.rejects(of.psql('update conceptos set precio_unitario = 7 where id = $1', [made2[0]['id']]), /differs from others with its code/)
    t.strictSame(codes(await director.post('conceptos/', row('AA', '-1', '1200'))), [400, { cantidad: ['min_value'] }])
    const elsewhere = await of.contract()
    t.strictSame(codes(await director.post('conceptos/', { ...row('Z', '1', '1', { convenio: one['id'] }), contract: elsewhere })), [400, { convenio: ['other_contract'] }])
    const kept = await director.send('DELETE', `convenios/${other['id']}/`)
    t.strictSame([kept.statusCode, kept.json().detail], [409, 'This change order cannot be deleted while concepts use it (1).'])
    t.equal((await director.get(`conceptos/?contract=${contract}&convenio=null`)).json().count, 2)
    t.equal((await director.get(`conceptos/?contract=${contract}&convenio=${one['id']}`)).json().count, 1)
  })
})

t.test('a change order of days alone can be signed when rounded lines are a cent above the contract (works-examples.md, 2)', async (t) => {
  const of = await estimating(t)
  const { contract, made, convenio, send, read } = await site(of)
  const { results: [a, b] } = await read(`conceptos/?contract=${contract}&ordering=clave`)
  await of.director.post('conceptos/bulk/', { upsert: 'clave', items: [{ ...a, cantidad: '3', precio_unitario: '0.335' }, { ...b, cantidad: '0' }] })
  for (let number = 1; number <= 3; number++) {
    const { id } = await of.estimate(contract)
    await made('generadores/', { estimate: id, concepto: a.id, cantidad: '1' })
    for (const estado of ['enviada', 'autorizada']) t.equal((await of.send(id, { estado })).statusCode, 200)
  }
  t.match(await read(`contracts/${contract}/`), { monto: '1.01', monto_estimado: '1.02', por_estimar: '-0.01' })
  const { id } = await convenio({ dias: 10 })
  for (const estado of ['enviado', 'autorizado', 'firmado']) t.equal((await send(id, estado)).statusCode, 200, estado)
})
