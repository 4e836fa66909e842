import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const { server, newSite } = await buildSites(t)
const { as } = server

const advance = { anticipo_porcentaje: '30', retencion_porcentaje: '5' }

t.test('the cover sheet has the figures of the worked example', async (t) => {
  const director = await as('director@demo.example')
  const { id: contraparte } = succeeded(await director.post('contrapartes/', { nombre: 'Constructora Ñandú', rfc: 'XAXX010101000' }))
  const site = await newSite([
    ['EXC-01', '480', '185.75', { capitulo: '01 Preliminares' }],
    ['CON-250', '120.5', '2845.3333', { capitulo: '02 Estructura/02.1 Losas' }],
    ['MUR-14', '950', '412.40', { capitulo: '02 Estructura/02.2 Muros' }]
  ], { ...advance, contraparte, descripcion: 'Nave', fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31' })
  const { client, contract } = site
  const caratula = async (estimate: number) => succeeded(await client.get(`estimates/${estimate}/caratula/`))
  const first = await site.estimate({ periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })
  await site.measure(first, 'EXC-01', '123.5430')
  await site.measure(first, 'MUR-14', '44.9300')
  await site.authorize(first)
  const ofFirst = await caratula(first)
  const second = await site.estimate({ descripcion: 'Febrero' })
  await site.measure(second, 'EXC-01', '350')
  await site.measure(second, 'CON-250', '60.25')

  const ofSecond = await caratula(second)
  const three = (anterior: string, periodo: string, acumulado: string) => ({ anterior, periodo, acumulado })
  const { folio } = succeeded(await client.get(`contracts/${contract}/`))
  t.strictSame(ofSecond, {
    estimate: second,
    tipo: 'ordinaria',
    numero: 2,
    estado: 'borrador',
    fecha: null,
    congelada: false,
    periodo_inicio: null,
    periodo_fin: null,
    descripcion: 'Febrero',
    factura_uuid: null,
    company: 1,
    company_nombre: 'Obra Norte',
    contract: {
      id: contract,
      folio,
      descripcion: 'Nave',
      contraparte: 'Constructora Ñandú',
      contraparte_rfc: 'XAXX010101000',
      moneda: 'MXN',
      fecha_inicio: '2026-01-01',
      fecha_fin: '2026-12-31',
      monto_original: '823802.66',
      convenios: '0.00',
      monto: '823802.66',
      sin_firma: '0.00'
    },
    porcentajes: { anticipo: '30.00', retencion: '5.00', iva: '16.00', derechos: '0.00' },
    importes: {
      monto: three('41477.24', '236443.83', '277921.07'),
      anticipo: three('0.00', '0.00', '0.00'),
      amortizacion: three('12443.17', '70933.15', '83376.32'),
      retencion: three('1451.70', '8275.53', '9727.23'),
      deductivas: three('0.00', '0.00', '0.00'),
      cargos_antes_iva: three('0.00', '0.00', '0.00'),
      subtotal: three('27582.37', '157235.15', '184817.52'),
      iva: three('4413.18', '25157.62', '29570.80'),
      derechos: three('0.00', '0.00', '0.00'),
      cargos_despues_iva: three('0.00', '0.00', '0.00'),
      neto: three('31995.55', '182392.77', '214388.32')
    },
    movimientos: [],
    por_estimar: '545881.59',
    anticipo: { importe: '247140.80', amortizado: '83376.32', por_amortizar: '163764.48' },
    capitulos: [
      { capitulo: '01 Preliminares', importe: '89160.00', sin_firma: '0.00', ...three('22948.11', '65012.50', '87960.61'), avance: '98.65' },
      { capitulo: '02 Estructura/02.1 Losas', importe: '342862.66', sin_firma: '0.00', ...three('0.00', '171431.33', '171431.33'), avance: '50.00' },
      { capitulo: '02 Estructura/02.2 Muros', importe: '391780.00', sin_firma: '0.00', ...three('18529.13', '0.00', '18529.13'), avance: '4.73' }
    ],
    capitulos_total: { importe: '823802.66', sin_firma: '0.00', ...three('41477.24', '236443.83', '277921.07'), avance: '33.74' },
    avance: '33.74',
    avance_programado: null,
    avance_financiero: '0.00',
    pagado: '0.00',
    por_pagar: '0.00'
  })
  await site.authorize(second)
  const { fecha, ...authorized } = await caratula(second)
  t.match(fecha, /^20\d\d-\d\d-\d\d$/)
  t.strictSame({ ...authorized, fecha: null }, { ...ofSecond, estado: 'autorizada', congelada: true, por_pagar: '182392.77' })
  t.strictSame(await caratula(first), ofFirst, 'a later estimate changes nothing')
})

t.test('estimates that are authorized out of order: each counts those with lower numbers that were authorized before it', async (t) => {
  const site = await newSite([], { monto: '1000' })
  const [first, second] = [await site.estimate({ monto: '100' }), await site.estimate({ monto: '20' })]
  const before = async (estimate: number) => {
    const { importes: { monto }, capitulos, avance } = succeeded(await site.client.get(`estimates/${estimate}/caratula/`))
    return [monto.anterior, capitulos, avance]
  }
  await site.authorize(second)
  t.strictSame(await before(second), ['0.00', [], '2.00'])
  await site.authorize(first)
  t.strictSame(await before(first), ['0.00', [], '10.00'])
  t.strictSame(await before(second), ['0.00', [], '2.00'], 'an authorized cover sheet does not change')
  t.strictSame(await before(await site.estimate({ monto: '7' })), ['120.00', [], '12.70'])
})

t.test('progress is planned until the end of the period, and financial for what is paid', async (t) => {
  const site = await newSite([], { monto: '1000', iva_porcentaje: '0' })
  const { client, contract } = site
  const progress = async (estimate: number) => {
    const { avance, avance_programado: planned, avance_financiero: paid, por_estimar: left } = succeeded(await client.get(`estimates/${estimate}/caratula/`))
    return [planned, avance, paid, left]
  }
  const january = { periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' }
  const february = { periodo_inicio: '2026-02-01', periodo_fin: '2026-02-28' }
  const first = await site.estimate({ ...january, monto: '100' })
  t.strictSame(await progress(first), [null, '10.00', '0.00', '900.00'], 'without a programme')
  const { id: convenio } = succeeded(await client.post('convenios/', { contract, monto: '1000' }))
  for (const row of [{ ...january, importe: '200' }, { ...february, importe: '300' }, { ...january, importe: '400', convenio }]) succeeded(await client.post('programa/', { contract, ...row }))
  t.strictSame(await progress(first), ['20.00', '10.00', '0.00', '900.00'], 'the change order is not signed')
  const early = await site.estimate({ periodo_inicio: '2025-12-01', periodo_fin: '2025-12-31', monto: '0' })
  t.equal((await progress(early))[0], '0.00', 'the programme begins later')
  for (const body of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-01-10' }, { estado: 'firmado', fecha_firma: '2026-01-11' }]) {
    succeeded(await client.send('PATCH', `convenios/${convenio as number}/`, body))
  }
  t.strictSame(await progress(first), ['30.00', '5.00', '0.00', '1900.00'])
  await site.authorize(first)
  const second = await site.estimate({ ...february, monto: '50' })
  t.strictSame(await progress(second), ['45.00', '7.50', '0.00', '1850.00'])
  const pay = async (importe: string) => succeeded(await client.post('pagos/', { estimate: first, importe, fecha: '2026-03-01' }))
  await pay('99')
  t.strictSame(await progress(second), ['45.00', '7.50', '4.95', '1850.00'], 'a payment counts as the same part of the work')
  await pay('1')
  t.strictSame(await progress(second), ['45.00', '7.50', '5.00', '1850.00'])
  t.strictSame(await progress(first), ['30.00', '5.00', '5.00', '1900.00'], 'its own work is paid')
  t.strictSame(await progress(await site.estimate({ monto: '1' })), [null, '5.05', '5.00', '1899.00'], 'without a period')
})

t.test('a percentage is rounded once: 5.00499… is 5.00, as in the progress of the contract', async (t) => {
  const site = await newSite([], { monto: '9999999999999990.01' })
  const estimate = await site.estimate({ monto: '500499999999999.50' })
  t.equal(succeeded(await site.client.get(`estimates/${estimate}/caratula/`)).avance, '5.00')
  await site.authorize(estimate)
  t.equal(succeeded(await site.client.get(`contracts/${site.contract}/avance/`)).results[0].porcentaje_ejecutado, '5.00')
})

t.test('no advance is left after a correction below what was repaid', async (t) => {
  const site = await newSite([], { monto: '1000', anticipo_porcentaje: '30' })
  const estimate = await site.estimate({ monto: '1000' })
  await site.authorize(estimate)
  succeeded(await site.client.send('PATCH', `contracts/${site.contract}/`, { anticipo_porcentaje: '10' }))
  const left = { importe: '100.00', amortizado: '300.00', por_amortizar: '0.00' }
  const next = await site.estimate({ monto: '0' })
  t.strictSame(succeeded(await site.client.get(`estimates/${next}/caratula/`)).anticipo, left)
  t.strictSame(succeeded(await site.client.get(`contracts/${site.contract}/estado-de-cuenta/`)).anticipo, left)
})

t.test('the advance is what was delivered, if anything was', async (t) => {
  const site = await newSite([], { monto: '1000', anticipo_porcentaje: '30' })
  const report = async (estimate: number) => {
    const { anticipo, importes } = succeeded(await site.client.get(`estimates/${estimate}/caratula/`))
    return [Object.values(anticipo), Object.values(importes.anticipo), Object.values(importes.neto)]
  }
  const estimate = await site.estimate({ monto: '100' })
  t.strictSame(await report(estimate), [['300.00', '30.00', '270.00'], ['0.00', '0.00', '0.00'], ['0.00', '81.20', '81.20']])
  const delivered = await site.estimate({ tipo: 'anticipo', anticipo: '200' })
  await site.authorize(delivered)
  t.strictSame(await report(delivered), [['200.00', '0.00', '200.00'], ['0.00', '200.00', '200.00'], ['0.00', '232.00', '232.00']])
  t.strictSame(await report(estimate), [['200.00', '30.00', '170.00'], ['200.00', '0.00', '200.00'], ['232.00', '81.20', '313.20']])
  await site.authorize(estimate)
  t.strictSame(await report(delivered), [['200.00', '0.00', '200.00'], ['0.00', '200.00', '200.00'], ['0.00', '232.00', '232.00']], 'fixed')
})

t.test('signed change orders count in the amount in force and in the chapters', async (t) => {
  const site = await newSite([['A', '10', '100', { capitulo: 'Uno' }]], { anticipo_porcentaje: '10', fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31' })
  const { client, contract } = site
  const estimate = await site.estimate()
  const { id: convenio } = succeeded(await client.post('convenios/', { contract }))
  for (const [clave, cantidad, capitulo] of [['A', '-2', 'Uno'], ['B', '5', 'Dos']]) {
    succeeded(await client.post('conceptos/', { contract, convenio, clave, unidad: 'm3', cantidad, precio_unitario: '100', capitulo }))
  }
  const report = async () => {
    const { contract: { monto_original: original, convenios, monto }, anticipo, capitulos } = succeeded(await client.get(`estimates/${estimate}/caratula/`))
    return [original, convenios, monto, anticipo.importe, ...capitulos.map((row: Record<string, string>) => [row.capitulo, row.importe, row.sin_firma, row.avance])]
  }
  t.strictSame(await report(), ['1000.00', '0.00', '1000.00', '100.00', ['Dos', '0.00', '0.00', null], ['Uno', '1000.00', '0.00', '0.00']])
  for (const body of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-02-01' }]) succeeded(await client.send('PATCH', `convenios/${convenio}/`, body))
  t.strictSame(await report(), ['1000.00', '0.00', '1000.00', '100.00', ['Dos', '0.00', '500.00', null], ['Uno', '1000.00', '-200.00', '0.00']], 'what is authorized without a signature stands apart')
  succeeded(await client.send('PATCH', `convenios/${convenio}/`, { estado: 'firmado', fecha_firma: '2026-02-02' }))
  t.strictSame(await report(), ['1000.00', '300.00', '1300.00', '100.00', ['Dos', '500.00', '0.00', '0.00'], ['Uno', '800.00', '0.00', '0.00']])
})

t.test('movements are listed by their tax, kind and reason, returns negative; their sums are the charges, in every form', async (t) => {
  const site = await newSite([], { monto: '10000', iva_porcentaje: '0' })
  const { client } = site
  const move = async (estimate: number, body: object) => succeeded(await client.post('movimientos/', { estimate, antes_iva: false, ...body }))
  const first = await site.estimate({ monto: '1000' })
  await move(first, { tipo: 'pena', motivo: 'Atraso', importe: '50' })
  await move(first, { tipo: 'pena', motivo: 'Limpieza', importe: '7' })
  await move(first, { tipo: 'otro', motivo: 'Agua', importe: '3', antes_iva: true })
  await site.authorize(first)
  const second = await site.estimate({ monto: '2000' })
  await move(second, { tipo: 'pena', motivo: 'Atraso', porcentaje: '1.5' })
  await move(second, { tipo: 'pena', motivo: 'Atraso', importe: '10' })
  await move(second, { tipo: 'pena', motivo: 'Devolución', importe: '20', sentido: 'abono' })
  await move(second, { tipo: 'impuesto', motivo: '5 al millar', importe: '4' })
  const listed = [
    [true, 'otro', 'Agua', '3.00', '0.00', '3.00'],
    [false, 'impuesto', '5 al millar', '0.00', '4.00', '4.00'],
    [false, 'pena', 'Atraso', '50.00', '40.00', '90.00'],
    [false, 'pena', 'Devolución', '0.00', '-20.00', '-20.00'],
    [false, 'pena', 'Limpieza', '7.00', '0.00', '7.00']
  ]
  const check = async () => {
    const { importes, movimientos } = succeeded(await client.get(`estimates/${second}/caratula/`))
    t.strictSame(movimientos.map((movement: object) => Object.values(movement)), listed)
    t.strictSame([importes.cargos_antes_iva, importes.cargos_despues_iva].map(amounts => Object.values(amounts)), [['3.00', '0.00', '3.00'], ['57.00', '24.00', '81.00']])
  }
  await check()
  await site.authorize(second)
  await check()
  const csv = (await client.get(`estimates/${second}/caratula/?format=csv`)).body.replace('\ufeff', '').trim().split('\r\n')
  t.strictSame(csv.slice(12), listed.map(([isBefore, ...row]) => [isBefore === true ? 'movimiento_antes_iva' : 'movimiento_despues_iva', ...row.map(cell => String(cell).replace(/^-(?!\d)/, "'-"))].join()))
})

t.test('CSV has one row for each amount', async (t) => {
  const site = await newSite([], { monto: '1000' })
  const estimate = await site.estimate({ monto: '100' })
  const answer = await site.client.get(`estimates/${estimate}/caratula/?format=csv`)
  t.match(answer.headers, { 'content-type': /^text\/csv/, 'content-disposition': `attachment; filename="caratula-${estimate}.csv"` })
  const [head, monto, ...others] = answer.body.replace('\ufeff', '').trim().split('\r\n')
  t.strictSame([head, monto, others.length, others.at(-1)], ['importe,tipo,motivo,anterior,periodo,acumulado', 'monto,,,0.00,100.00,100.00', 10, 'neto,,,0.00,116.00,116.00'])
})

t.test('404 for an estimate of another company, and for none', async (t) => {
  const site = await newSite([], { monto: '1000' })
  const estimate = await site.estimate({ monto: '100' })
  const other = await as('director@otra.example')
  for (const id of [estimate, 999_999]) {
    for (const format of ['json', 'csv']) t.match([(await other.get(`estimates/${id}/caratula/?format=${format}`)).statusCode], [404])
  }
  t.match((await site.client.get(`estimates/${estimate}/caratula/?fields=neto`)).json().errors, { fields: [/^Unknown/] })
})
