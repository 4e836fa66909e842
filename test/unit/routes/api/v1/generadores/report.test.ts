import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const { server, newSite } = await buildSites(t)
const { as } = server

/** The figures of a line that the worked examples show. */
const figures = (line: Record<string, string>) => [line.clave, line.precio_unitario, line.cantidad_vigente, line.anterior, line.periodo, line.acumulada, line.excedente, line.importe_anterior, line.importe_periodo, line.importe_acumulado]

t.test('the report has the figures of the worked examples', async (t) => {
  const site = await newSite([['EXC-01', '480', '185.75'], ['CON-250', '120.5', '2845.3333'], ['MUR-14', '950', '412.40']])
  const first = await site.estimate()
  await site.measure(first, 'EXC-01', { largo: '24.5', ancho: '1.2', alto: '1.85' })
  await site.measure(first, 'EXC-01', { largo: '31.15', ancho: '1.2', alto: '1.85' })
  await site.measure(first, 'MUR-14', { largo: '18.4', alto: '2.75' })
  await site.measure(first, 'MUR-14', { piezas: '-3', largo: '0.9', alto: '2.1' })
  const ofFirst = [
    ['EXC-01', '185.75', '480.0000', '0.0000', '123.5430', '123.5430', '0.0000', '0.00', '22948.11', '22948.11'],
    ['MUR-14', '412.40', '950.0000', '0.0000', '44.9300', '44.9300', '0.0000', '0.00', '18529.13', '18529.13']
  ]
  t.strictSame((await site.lines(first)).map(figures), ofFirst, 'of a draft')
  await site.authorize(first)
  t.strictSame((await site.lines(first)).map(figures), ofFirst, 'authorized')
  const second = await site.estimate()
  await site.measure(second, 'CON-250', '60.25')
  await site.measure(second, 'EXC-01', '350')
  const ofSecond = [
    ['EXC-01', '185.75', '480.0000', '123.5430', '350.0000', '473.5430', '0.0000', '22948.11', '65012.50', '87960.61'],
    ['CON-250', '2845.3333', '120.5000', '0.0000', '60.2500', '60.2500', '0.0000', '0.00', '171431.33', '171431.33']
  ]
  t.strictSame((await site.lines(second)).map(figures), ofSecond)
  await site.authorize(second)
  t.strictSame((await site.lines(second)).map(figures), ofSecond)
  t.strictSame((await site.lines(first)).map(figures), ofFirst, 'a later estimate changes nothing')
  t.match(await site.lines(second, 'todos=true'), [{ clave: 'EXC-01', generadores: 1 }, { clave: 'CON-250' }, { clave: 'MUR-14', generadores: 0, anterior: '44.9300', periodo: '0.0000', acumulada: '44.9300', importe_acumulado: '18529.13' }])
})

t.test('quantities above those in force are shown', async (t) => {
  const site = await newSite([['PU-1', '200', '1500'], ['B', '400', '1500']])
  const first = await site.estimate()
  await site.measure(first, 'PU-1', '150')
  await site.authorize(first)
  const second = await site.estimate()
  await site.measure(second, 'PU-1', '90')
  t.strictSame((await site.lines(second)).map(figures), [['PU-1', '1500.00', '200.0000', '150.0000', '90.0000', '240.0000', '40.0000', '225000.00', '135000.00', '360000.00']])
})

t.test('rows of one clave can be told apart, and the column of the excess has a sum', async (t) => {
  const site = await newSite([['A', '10', '5'], ['B', '4', '1'], ['C', '100', '1']])
  const { client, contract } = site
  const { id: convenio } = succeeded(await client.post('convenios/', { contract }))
  const { id: added } = succeeded(await client.post('conceptos/', { contract, convenio, clave: 'A', unidad: 'm3', cantidad: '3', precio_unitario: '5', capitulo: 'Adicional' }))
  for (const body of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-02-01' }, { estado: 'firmado', fecha_firma: '2026-02-02' }]) {
    succeeded(await client.send('PATCH', `convenios/${convenio as number}/`, body))
  }
  const [first, second] = [await site.estimate(), await site.estimate()]
  await site.measure(first, 'A', '12')
  await site.measure(first, 'B', '5')
  succeeded(await client.post('generadores/', { estimate: first, concepto: added, cantidad: '2' }))
  succeeded(await client.post('generadores/', { estimate: second, concepto: added, cantidad: '1' }))
  const apart = (line: Record<string, unknown>) => [line['clave'], line['convenio'], line['capitulo'], line['cantidad'], line['cantidad_vigente'], line['acumulada'], line['excedente']]
  const ofFirst = [
    ['A', null, '', '10.0000', '13.0000', '12.0000', '1.0000'],
    ['B', null, '', '4.0000', '4.0000', '5.0000', '1.0000'],
    ['A', convenio, 'Adicional', '3.0000', '13.0000', '2.0000', '0.0000']
  ]
  const check = async () => {
    t.strictSame((await site.lines(first)).map(apart), ofFirst)
    const unused = ['C', null, '', '100.0000', '100.0000', '0.0000', '0.0000']
    t.strictSame((await site.lines(first, 'todos=true')).map(apart), [...ofFirst.slice(0, 2), unused, ...ofFirst.slice(2)])
    const pages = await Promise.all([1, 2, 3].map(async page => (await client.get(`estimates/${first}/conceptos/?page_size=1&page=${page}`)).json().results[0]))
    t.strictSame(pages.map(apart), ofFirst, 'on pages')
  }
  await check()
  t.strictSame((await site.lines(second)).map(apart), [['A', convenio, 'Adicional', '3.0000', '13.0000', '1.0000', '0.0000']], 'nothing is authorized before it')
  await site.authorize(first)
  await check()
  t.strictSame((await site.lines(second)).map(apart), [['A', convenio, 'Adicional', '3.0000', '13.0000', '3.0000', '2.0000']], 'the first line of this report')
  const ofAll = async (estimate: number) => (await site.lines(estimate, 'todos=true')).map(line => line['excedente'])
  t.strictSame(await ofAll(second), ['0.0000', '1.0000', '0.0000', '2.0000'], 'the first line of the clave, also with the catalogue')
  t.strictSame(await ofAll(await site.estimate()), ['1.0000', '1.0000', '0.0000', '0.0000'], 'the first row of a clave without lines')
  await site.authorize(second)
  const { id: more } = succeeded(await client.post('convenios/', { contract }))
  succeeded(await client.post('conceptos/', { contract, convenio: more, clave: 'A', unidad: 'm3', cantidad: '50', precio_unitario: '5' }))
  for (const body of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-02-03' }, { estado: 'firmado', fecha_firma: '2026-02-04' }]) {
    succeeded(await client.send('PATCH', `convenios/${more as number}/`, body))
  }
  t.strictSame(await ofAll(second), ['0.0000', '1.0000', '0.0000', '2.0000', '0.0000'], 'the excess at its authorization, whatever the catalogue is now')
  t.strictSame((await site.lines(second)).map(apart), [['A', convenio, 'Adicional', '3.0000', '13.0000', '3.0000', '2.0000']])
})

t.test('estimates that are authorized out of order: each counts those with lower numbers at its authorization', async (t) => {
  const site = await newSite([['A', '100', '1'], ['B', '100', '1']])
  const [first, second, third] = [await site.estimate(), await site.estimate(), await site.estimate()]
  for (const [estimate, cantidad] of [[first, '1'], [second, '20'], [third, '300']] as const) await site.measure(estimate, 'A', cantidad)
  await site.measure(third, 'A', '-250')
  const acumuladas = async () => (await Promise.all([first, second, third].map(async estimate => await site.lines(estimate)))).map(([line]) => line.acumulada)
  t.strictSame(await acumuladas(), ['1.0000', '20.0000', '50.0000'])
  await site.authorize(third)
  t.strictSame(await acumuladas(), ['1.0000', '20.0000', '50.0000'])
  await site.authorize(first)
  t.strictSame(await acumuladas(), ['1.0000', '21.0000', '50.0000'], 'an authorized line does not change')
  await site.authorize(second)
  t.strictSame(await acumuladas(), ['1.0000', '21.0000', '50.0000'])
  const fourth = await site.estimate()
  await site.measure(fourth, 'A', '0')
  t.equal((await site.lines(fourth))[0].anterior, '71.0000')
})

t.test('nothing before an authorized estimate changes, in whatever order the others are authorized; lines and cover sheet agree', async (t) => {
  for (const order of [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]) {
    const site = await newSite([['A', '5', '1'], ['B', '2', '10'], ['C', '9', '100']])
    const estimates = [await site.estimate(), await site.estimate(), await site.estimate()] as const
    for (const [index, clave, cantidad] of [[0, 'A', '7'], [0, 'B', '1'], [1, 'B', '2'], [1, 'C', '-1'], [1, 'C', '3'], [2, 'C', '4']] as const) {
      await site.measure(estimates[index], clave, cantidad)
    }
    const before = async (estimate: number) => {
      const lines = await site.lines(estimate, 'todos=true')
      const { importes: { monto } } = succeeded(await site.client.get(`estimates/${estimate}/caratula/`))
      t.equal(monto.anterior, `${lines.reduce((sum, line) => sum + Number(line.importe_anterior), 0)}.00`)
      return { monto, lines: lines.map(figures) }
    }
    const signed: Array<[number, unknown]> = []
    for (const index of order) {
      const estimate = estimates[index] as number
      await site.authorize(estimate)
      signed.push([estimate, await before(estimate)])
      for (const [one, then] of signed) t.strictSame(await before(one), then, order.join())
      for (const other of estimates) await before(other)
    }
  }
})

t.test('the report has pages', async (t) => {
  const rows = Array.from({ length: 45 }, (_, n) => [`C-${String(n).padStart(2, '0')}`, '10', '1'] as const)
  const site = await newSite(rows.map(([clave, cantidad, precio]) => [clave, cantidad, precio]))
  const estimate = await site.estimate()
  const items = rows.filter((_, n) => n % 2 === 0).map(([clave]) => ({ estimate, concepto: site.conceptos[clave], cantidad: '1' }))
  t.equal((await site.client.post('generadores/bulk/', { items })).statusCode, 201)
  for (const [query, total] of [['', 23], ['todos=true&', 45]] as const) {
    const found: string[] = []
    let pages = 0
    for (let url: string | null = `estimates/${estimate}/conceptos/?${query}page_size=10`; url !== null; pages++) {
      const page: { count: number, next: string | null, results: Array<{ clave: string }> } = (await site.client.get(url)).json()
      t.equal(page.count, total)
      found.push(...page.results.map(({ clave }) => clave))
      url = page.next === null ? null : page.next.slice(page.next.indexOf('estimates/'))
    }
    t.strictSame([pages, found.length], [Math.ceil(total / 10), total])
    t.strictSame(found, [...new Set(found)].sort(), 'each concept once, in the order of the catalogue')
    const last = (await site.client.get(`estimates/${estimate}/conceptos/?${query}page_size=10&page=last`)).json()
    t.strictSame(last.results.map(({ clave }: { clave: string }) => clave), found.slice(-(total % 10)))
    t.match(last.previous, /page=/)
  }
  t.equal((await site.client.get(`estimates/${estimate}/conceptos/?page=9`)).statusCode, 404)
  t.equal((await site.client.get(`estimates/${estimate}/conceptos/?cursor=x`)).statusCode, 400)
  t.equal((await site.client.get(`estimates/${estimate}/conceptos/?todas=true`)).statusCode, 400)
  t.equal((await site.client.get('estimates/999999/conceptos/')).statusCode, 404)
  t.equal((await (await as('director@otra.example')).get(`estimates/${estimate}/conceptos/`)).statusCode, 404)
  const { headers } = await site.client.get(`estimates/${estimate}/conceptos/`)
  t.equal((await site.client.get(`estimates/${estimate}/conceptos/`, { 'if-none-match': headers.etag as string })).statusCode, 304)
  const empty = (await site.client.get(`estimates/${await site.estimate()}/conceptos/`)).json()
  t.strictSame(empty, { count: 0, next: null, previous: null, results: [] })
})
