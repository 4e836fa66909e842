import { parse } from 'csv-parse/sync'
import t from 'tap'
import { agreeing } from '../../../../../../support/agreeing.ts'

const month = (number: number, last: number) => ({ periodo_inicio: `2026-0${number}-01`, periodo_fin: `2026-0${number}-${last}` })
const [january, february, march, april] = [month(1, 31), month(2, 28), month(3, 31), month(4, 30)]
const names = ['hasta', 'programado', 'ejecutado', 'porcentaje_programado', 'porcentaje_ejecutado']

const before = [
  ['2026-01-31', '200000.00', '150000.00', '22.22', '16.67'],
  ['2026-02-28', '600000.00', '460000.00', '66.67', '51.11'],
  ['2026-03-31', '900000.00', '460000.00', '100.00', '51.11']
]
const after = [
  ['2026-01-31', '200000.00', '150000.00', '20.00', '15.00'],
  ['2026-02-28', '600000.00', '460000.00', '60.00', '46.00'],
  ['2026-03-31', '780000.00', '460000.00', '78.00', '46.00'],
  ['2026-04-30', '1000000.00', '460000.00', '100.00', '46.00']
]

t.test('progress of a contract', async (t) => {
  const { director, contract, convenio, estimate, to, get, as } = await agreeing(t)
  const plan = async (body: object) => t.equal((await director.post('programa/', body)).statusCode, 201)
  const figures = (results: Array<Record<string, string>>) => results.map(row => names.map(name => row[name]))
  const id = await contract({ folio: 'AVANCE <b>&1</b>', monto: '900000.00', fecha_inicio: '2026-01-01', fecha_fin: '2026-03-31' })
  const url = `contracts/${id}/avance/`
  const report = async (query = '') => await get(`${url}${query}`)
  const svg = { accept: 'image/svg+xml' }

  await t.test('without a programme, it has no periods', async (t) => {
    t.strictSame(await report(), { count: 0, next: null, previous: null, results: [] })
    t.match((await director.get(url, { ...svg, 'accept-language': 'es' })).body, /Aún sin programa ni ejecución/)
  })

  await t.test('it has the figures of the worked example', async (t) => {
    for (const [period, importe] of [[january, '200000'], [february, '400000'], [march, '300000']] as const) await plan({ contract: id, ...period, importe })
    await estimate(id, { ...january, monto: '150000' }, 'autorizada')
    await estimate(id, { ...february, monto: '310000' }, 'pagada')
    await estimate(id, { ...march, monto: '99' }, 'enviada')
    const { id: order } = await convenio(id, { monto: '100000', dias: 30 })
    for (const [period, importe] of [[march, '-120000'], [april, '220000']] as const) await plan({ contract: id, convenio: order, ...period, importe })
    t.strictSame(figures((await report())['results']), before)
    for (const state of ['enviado', 'autorizado']) t.equal((await to(order, state)).statusCode, 200)
    t.strictSame(figures((await report())['results']), before, 'only signed change orders count')
    t.equal((await to(order, 'firmado')).statusCode, 200)
    t.strictSame(figures((await report())['results']), after)
  })

  await t.test('it has pages', async (t) => {
    const first = await report('?page_size=3')
    t.match(first, { count: 4, previous: null })
    t.strictSame(figures(first['results']), after.slice(0, 3))
    const next = (await director.get(`${url}${new URL(first['next']).search}`)).json()
    t.strictSame([figures(next.results), next.next], [after.slice(3), null])
    t.strictSame(figures((await report('?page=last&page_size=3'))['results']), after.slice(3))
    t.equal((await director.get(`${url}?page=3&page_size=3`)).statusCode, 404)
    t.equal((await director.get('contracts/999999/avance/')).statusCode, 404)
    t.equal((await director.get(`${url}?width=10`)).statusCode, 400)
  })

  await t.test('CSV has all of it', async (t) => {
    const { headers, body } = await director.get(`${url}?page_size=1`, { accept: 'text/csv' })
    t.match(headers, { 'content-type': /^text\/csv/, 'content-disposition': `attachment; filename="avance-${id}.csv"` })
    t.strictSame(parse(body, { bom: true }), [names, ...after])
    t.equal((await director.get('contracts/999999/avance/', { accept: 'text/csv' })).statusCode, 404)
  })

  await t.test('the drawing is an SVG in the language of the request', async (t) => {
    const draw = async (headers: Record<string, string> = {}, query = '') => await director.get(`${url}${query}`, { ...svg, ...headers })
    const english = await draw()
    t.equal(english.statusCode, 200)
    t.match(english.headers, { 'content-type': 'image/svg+xml; charset=utf-8', 'content-language': 'en', vary: /(^|,)Accept(,|$)/ })
    for (const text of ['Planned 60.00 %', 'Executed 46.00 %', 'AVANCE &lt;b&gt;&amp;1&lt;/b&gt;', 'MXN', 'Feb 28, 2026']) t.ok(english.body.includes(text), text)
    t.notOk(english.body.includes('<b>'))
    t.match(english.body, /^<svg role="img" aria-label="Planned and executed: [^"<]*" width="360" height="270"/)
    const spanish = await draw({ 'accept-language': 'es' })
    for (const text of ['Programado 60.00 %', 'Ejecutado 46.00 %', '28 feb 2026']) t.ok(spanish.body.includes(text), text)
    t.equal(spanish.headers['content-language'], 'es')
    t.match((await draw({}, '?width=960')).body, /width="960"/)

    const tag = english.headers.etag as string
    t.equal((await draw({ 'if-none-match': tag })).statusCode, 304)
    t.equal((await draw({ 'if-none-match': tag, 'accept-language': 'es' })).statusCode, 200, 'the ETag is that of a language')
    const json = await director.get(url, { 'if-none-match': tag })
    t.match([json.statusCode, json.headers['content-type']], [200, /json/], 'and of a form')
    t.equal((await director.get(url, { accept: 'application/json, image/svg+xml;q=0.5' })).headers['content-type'], 'application/json; charset=utf-8')
    t.equal((await director.get(`${url}?format=json`, svg)).headers['content-type'], 'application/json; charset=utf-8')
    t.equal((await director.get('contracts/', svg)).statusCode, 406)
    const first = await draw({}, '?width=960')
    t.equal((await draw({}, '?width=960')).body, first.body, 'from the cache')
    await plan({ contract: id, ...april, importe: '0.01' })
    t.equal((await draw({ 'if-none-match': tag })).statusCode, 200, 'a write changes it')
    t.equal((await director.get('contracts/999999/avance/', svg)).statusCode, 404)
  })

  await t.test('a parameter of another form is refused', async (t) => {
    const refused = async (query: string, headers: Record<string, string>) => {
      const answer = await director.get(`${url}${query}`, headers)
      return [answer.statusCode, answer.json().errors]
    }
    for (const name of ['page', 'page_size', 'cursor', 'nada']) t.strictSame(await refused(`?${name}=1`, svg), [400, { [name]: ['Unknown query parameter.'] }])
    t.strictSame(await refused('?width=400&page=1&cursor=x', svg), [400, { page: ['Unknown query parameter.'], cursor: ['Unknown query parameter.'] }])
    for (const accept of ['application/json', 'text/csv']) t.strictSame(await refused('?width=400', { accept }), [400, { width: ['Unknown query parameter.'] }])
    t.strictSame(await refused('?width=400&format=json', svg), [400, { width: ['Unknown query parameter.'] }])
    t.equal((await director.get(`${url}?_=1&width=400`, svg)).headers.etag, (await director.get(`${url}?width=400`, svg)).headers.etag, 'the same drawing')
  })

  await t.test('other companies have none of it', async (t) => {
    const outsider = await as('director@otra.example')
    for (const headers of [{}, svg, { accept: 'text/csv' }]) t.equal((await outsider.get(url, headers)).statusCode, 404)
  })

  await t.test('an estimate without a period counts on the day of its creation, in a contract of 0.00 without percentages', async (t) => {
    const other = await contract({ monto: '10' })
    const { created_at: at } = await estimate(other, { monto: '4' }, 'autorizada')
    t.strictSame(figures((await get(`contracts/${other}/avance/`))['results']), [[at.slice(0, 10), '0.00', '4.00', '0.00', '40.00']])
    const empty = await contract({ monto: '0' })
    await plan({ contract: empty, ...april, importe: '5' })
    t.strictSame(figures((await get(`contracts/${empty}/avance/`))['results']), [['2026-04-30', '5.00', '0.00', null, null]])
  })
})

t.test('a curve of thousands of periods is drawn with few points, and with the last one', async (t) => {
  const { director, contract, psql } = await agreeing(t)
  const id = await contract({ monto: '100' })
  await psql("insert into programa (company_id, contract_id, periodo_inicio, periodo_fin, importe) select company_id, id, '2000-01-01', '2000-01-01'::date + n, 0.01 from contracts, generate_series(1, 5000) n where id = $1", [id])
  const { statusCode, body } = await director.get(`contracts/${id}/avance/`, { accept: 'image/svg+xml' })
  t.equal(statusCode, 200)
  t.ok(body.length < 40_000, `${body.length} bytes`)
  t.match(body, /Planned 50\.00 %/)
})
