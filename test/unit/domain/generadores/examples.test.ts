import t from 'tap'
import { None } from '../../../support/none.ts'
import { buildSites } from '../../../support/site.ts'

const { newSite } = await buildSites(t)

t.test('unit prices: a catalogue, generadores, two estimates', async (t) => {
  const site = await newSite([['EXC-01', '480', '185.75'], ['CON-250', '120.5', '2845.3333'], ['MUR-14', '950', '412.40']], { monto: '12500000.00', anticipo_porcentaje: '30.00', retencion_porcentaje: '5.00' })
  t.equal((await site.client.get(`contracts/${site.contract}/`)).json().monto, '823802.66')

  const first = await site.estimate()
  const measured = [
    await site.measure(first, 'EXC-01', { ubicacion: 'Ejes A-C', largo: '24.5', ancho: '1.2', alto: '1.85' }),
    await site.measure(first, 'EXC-01', { ubicacion: 'Ejes C-F', largo: '31.15', ancho: '1.2', alto: '1.85' }),
    await site.measure(first, 'MUR-14', { ubicacion: 'Muro norte', largo: '18.4', alto: '2.75' }),
    await site.measure(first, 'MUR-14', { ubicacion: 'Vanos', piezas: '-3', largo: '0.9', alto: '2.1' })
  ]
  t.strictSame(measured.map(({ cantidad }) => cantidad), ['54.3900', '69.1530', '50.6000', '-5.6700'])
  t.match(await site.read(first), { monto: '41477.24', lineas: 2, amortizacion: '12443.17', retencion: '1451.70', subtotal: '27582.37', iva: '4413.18', neto: '31995.55', version: 5 })
  await site.authorize(first)

  const second = await site.estimate()
  await site.measure(second, 'EXC-01', '350')
  await site.measure(second, 'CON-250', '60.25')
  t.match(await site.authorize(second), { monto: '236443.83', lineas: 2, amortizacion: '70933.15', retencion: '8275.53', subtotal: '157235.15', iva: '25157.62', neto: '182392.77' })

  const refused = await site.client.post('generadores/', { estimate: second, concepto: site.conceptos['EXC-01'], cantidad: '1' })
  t.strictSame([refused.statusCode, refused.json().code], [409, 'conflict'])
  const derived = await site.patch(await site.estimate(), { monto: '5.00' })
  t.equal(derived.statusCode, 200, 'an estimate without generadores keeps its given amount')
})

t.test('rounding: one rounding per concept and estimate, and the last cent', async (t) => {
  const site = await newSite([['K', '3', '0.335', { unidad: 'kg' }]])
  t.equal((await site.client.get(`contracts/${site.contract}/`)).json().monto, '1.01')
  for (const accumulated of ['0.34', '0.68', '1.02']) {
    const estimate = await site.estimate()
    await site.measure(estimate, 'K', '1')
    t.match(await site.authorize(estimate), { monto: '0.34', subtotal: '0.34', iva: '0.05', neto: '0.39', monto_acumulado: accumulated })
  }
  t.match((await site.client.get(`contracts/${site.contract}/`)).json(), { monto_estimado: '1.02', por_estimar: '-0.01' })
  const fourth = await site.estimate()
  await site.measure(fourth, 'K', '0.0001')
  t.match(await site.read(fourth), { monto: '0.00', lineas: 1 })
  await site.patch(fourth, { estado: 'enviada' })
  const refused = await site.patch(fourth, { estado: 'autorizada' })
  t.strictSame([refused.statusCode, refused.json().codes], [400, { monto: ['exceeds_contract'] }])

  const other = await newSite([['K', '3', '0.335']])
  const together = await other.estimate()
  for (let n = 0; n < 3; n++) await other.measure(together, 'K', '1')
  t.match(await other.read(together), { monto: '1.01', lineas: 1 })
})

t.test('an amount without lines leaves no room for cents', async (t) => {
  const site = await newSite([['K', '3', '0.335']])
  const given = await site.estimate({ monto: '0.34' })
  await site.authorize(given)
  for (const expected of [200, 400]) {
    const estimate = await site.estimate()
    await site.measure(estimate, 'K', '1')
    await site.patch(estimate, { estado: 'enviada' })
    t.equal((await site.patch(estimate, { estado: 'autorizada' })).statusCode, expected)
  }
})

t.test('quantities above the agreed one are payable within the contract', async (t) => {
  const site = await newSite([['A', '100', '1000'], ['B', '50', '1000']])
  const estimate = await site.estimate()
  await site.measure(estimate, 'A', '112')
  t.match(await site.read(estimate), { monto: '112000.00', avisos: ['cantidad_excedida'] })
  t.match(await site.authorize(estimate), { monto: '112000.00', avisos: ['cantidad_excedida'] })
})

t.test('lump sums and unit prices in one contract', async (t) => {
  const site = await newSite([['ACT-1', '1', '2400000', { alzado: true }], ['ACT-2', '1', '3600000', { alzado: true }], ['PU-1', '200', '1500']], { retencion_porcentaje: '5.00' })
  t.equal((await site.client.get(`contracts/${site.contract}/`)).json().monto, '6300000.00')
  const first = await site.estimate()
  await site.measure(first, 'ACT-1', '0.6')
  await site.measure(first, 'PU-1', '150')
  t.match(await site.authorize(first), { monto: '1665000.00', retencion: '83250.00', subtotal: '1581750.00', iva: '253080.00', neto: '1834830.00', avisos: None })
  const second = await site.estimate()
  await site.measure(second, 'ACT-1', '0.4')
  await site.measure(second, 'ACT-2', '0.3333')
  await site.measure(second, 'PU-1', '90')
  t.match(await site.authorize(second), { monto: '2294880.00', retencion: '114744.00', subtotal: '2180136.00', iva: '348821.76', neto: '2528957.76', avisos: ['cantidad_excedida'] })
  const third = await site.estimate()
  await site.measure(third, 'ACT-2', '0.6668')
  await site.patch(third, { estado: 'enviada' })
  const refused = await site.patch(third, { estado: 'autorizada' })
  t.strictSame([refused.statusCode, refused.json().codes], [400, { monto: ['exceeds_contract'], estado: ['quantity_exceeded'] }])
})
