import t from 'tap'
import { limits } from '../../../src/config/limits.ts'
import { build } from '../../support/helper.ts'
import { largeBodies, largeBulks, largeQueries, routes } from '../../support/large-inputs.ts'

const { app, as } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')
const headers = { 'content-type': 'application/json' }
const longest = 64 * 1024

t.test('the most expensive bodies are refused with a short answer', async (t) => {
  for (const [method, url, limit, ...fields] of routes) {
    const sent = new Set<string>() // some bodies are the same for every field
    for (const field of fields) {
      for (const [what, body] of Object.entries(largeBodies(limit, field)).filter(([, body]) => !sent.has(body))) {
        sent.add(body)
        const about = `${method} ${url} ${field}: ${what}`
        t.ok(body.length <= limit, about)
        const response = await director.send(method, url, body, headers)
        const refused = url === 'api-token-verify/' ? [400, 401, 413] : [400, 413]
        t.ok(refused.includes(response.statusCode), `${about}: ${response.statusCode} ${response.body.slice(0, 200)}`)
        t.ok(response.rawPayload.length <= longest, `${about}: ${response.rawPayload.length} bytes`)
        t.ok(response.json().detail)
      }
    }
  }
})

t.test('a body above the limit of its route is 413', async (t) => {
  for (const [method, url, limit] of [...routes, ['POST', 'contracts/bulk/', limits.bodies.bulk] as const]) {
    for (const body of ['{}'.padEnd(limit + 1), `{${' '.repeat(limit)}}`]) {
      const response = await director.send(method, url, body, headers)
      t.match([response.statusCode, response.json()], [413, { detail: /^The request body is larger than \d+ [KM]iB,/, code: 'body_too_large' }], url)
    }
    t.not((await director.send(method, url, '{}'.padEnd(limit), headers)).statusCode, 413, url)
  }
})

t.test('the longest valid credentials are accepted', async (t) => {
  const escaped = '\\ud83d\\ude00'.repeat(1024)
  const response = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: `{"email":"a@b.mx","password":"${escaped}"}`, headers })
  t.equal(response.statusCode, 401)
  t.match((await director.send('POST', 'me/password/', `{"current":"${escaped}","new":"${escaped}"}`, headers)).json().errors, { current: [/^Your old password/] })
})

t.test('bulk: an answer lists a limited number of problems and says that there are more', async (t) => {
  const bodies = largeBulks({ folio: 'a', monto: '1', descripcion: 'x', estado: 'vigente' }, 'descripcion')
  for (const [what, body] of Object.entries(bodies)) {
    const response = await director.send('POST', 'contracts/bulk/', body, headers)
    t.equal(response.statusCode, what === '16 MiB of spaces' ? 201 : 400, `${what}: ${response.body.slice(0, 200)}`)
    t.ok(response.rawPayload.length <= longest, `${what}: ${response.rawPayload.length} bytes`)
  }
  for (const [language, more, unknown] of [['en', 'There are more problems, which are not listed.', 'Unknown field.'], ['es', 'Hay más problemas, que no se muestran.', 'Campo desconocido.']] as const) {
    const { errors } = (await director.send('POST', 'contracts/bulk/', bodies['60 unknown fields of each item'], { ...headers, 'accept-language': language })).json()
    const { non_field_errors: [left, ...others], ...listed } = errors
    t.strictSame([others, listed['items.0.f0-0']], [[], [unknown]])
    t.equal(Object.values<string[]>(listed).flat().length, 500)
    t.equal(left, more)
  }
})

t.test('errors repeat at most 200 characters of the input', async (t) => {
  const long = 'é'.repeat(300)
  const { errors } = (await director.post('contracts/', { folio: 'b', estado: long, contraparte: 'x'.repeat(200), [long]: 1, [`${'é'.repeat(199)}😀`]: 1 })).json()
  t.strictSame(errors, {
    estado: [`"${'é'.repeat(200)}…" is not a valid choice. Valid choices: vigente, suspendido, terminado, cancelado.`],
    contraparte: [`Object with nombre=${'x'.repeat(200)} does not exist.`],
    [`${'é'.repeat(200)}…`]: ['Unknown field.'],
    [`${'é'.repeat(199)}…`]: ['Unknown field.'] // a surrogate pair is not split
  })
})

t.test('the most expensive queries get a short answer', async (t) => {
  for (const url of ['contracts/', 'contracts/1/', 'contracts/1/tree/', 'estimates/', 'nothing/']) {
    for (const [what, query] of Object.entries(largeQueries())) {
      const response = await director.get(`${url}?${query}`)
      t.ok([200, 400, 404].includes(response.statusCode), `${url} ${what}: ${response.statusCode}`)
      t.ok(response.rawPayload.length <= longest, `${url} ${what}: ${response.rawPayload.length} bytes`)
    }
  }
  for (const name of ['fields', 'ordering']) t.match((await director.get(`contracts/?${name}=${'id,'.repeat(1000)}`)).json().errors[name], [/^Ensure this field has no more than \d\d elements\.$/])
})

t.test('30 combining marks in a row are stored, 31 are refused', async (t) => {
  const folio = (marks: number) => `n${'\u0303'.repeat(marks)}`
  const refused = await director.post('contracts/', { folio: folio(31) })
  t.strictSame(refused.json().errors, { folio: ['Ensure this field has no more than 30 combining marks in a row.'] })
  const kept = await director.post('contracts/', { folio: folio(30) })
  t.equal(kept.json().folio, folio(30).normalize('NFC'))
  t.equal((await director.get(`contracts/?search=${'%CC%83'.repeat(31)}`)).statusCode, 400)
})

t.test('JSON parse errors are in the caller\'s language and give the position', async (t) => {
  const errorsOf = async (body: string, language: string) => (await director.send('POST', 'contracts/', body, { ...headers, 'accept-language': language })).json().errors.non_field_errors
  t.strictSame(await errorsOf('{"folio":\n  "a",}', 'en'), ['JSON parse error - Unexpected character "}": line 2 column 7'])
  t.strictSame(await errorsOf('{"folio":\n  "a",}', 'es'), ['Error al interpretar el JSON - Carácter inesperado "}": línea 2 columna 7'])
  t.strictSame(await errorsOf('{"folio":"a"', 'es'), ['Error al interpretar el JSON - Final inesperado del texto: línea 1 columna 13'])
  t.strictSame(await errorsOf('{"__proto__":1}', 'es'), ['Error al interpretar el JSON - El objeto contiene una propiedad de prototipo prohibida'])
})

t.test('an invalid amount with 900,000 zeros is 400', async (t) => {
  const zeros = `${'0'.repeat(900_000)}x` // quadratic time would take 15 minutes
  const refused = await director.send('PATCH', 'contracts/1/', { monto: zeros })
  t.equal(refused.statusCode, 400)
  t.strictSame(Object.keys(refused.json().errors), ['monto'])
})
