import t from 'tap'
import { parse } from 'csv-parse/sync'
import { registered } from '../../../../../../src/domain/resources.ts'
import { message } from '../../../../../../src/http/messages.ts'
import { build, type Client } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'

const { as, psql } = await build(t)
const director = await as('director@demo.example')
const accept = { accept: 'text/csv' }

/** The rows of a CSV answer by field name. */
async function rowsOf (client: Client, url: string): Promise<Array<Record<string, string>>> {
  const { statusCode, body } = await client.get(url, accept)
  t.equal(statusCode, 200, `${url}: ${body.slice(0, 200)}`)
  return parse(body, { bom: true, columns: true })
}

/** The cell of a JSON value that no spreadsheet takes for a formula. */
function cell (value: unknown): string {
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

t.test('every list has the same rows and fields as CSV, in the same order', async (t) => {
  const superuser = await as('superusuario@demo.example')
  const lists = [...registered.map(({ name }) => [director, name] as const), [director, 'webhooks'] as const, ...['users', 'companies', 'customers', 'memberships'].map(name => [superuser, name] as const)]
  for (const [client, name] of lists) {
    const { count, results } = (await client.get(`${name}/?page_size=200&ordering=-id`)).json()
    const rows = await rowsOf(client, `${name}/?ordering=-id`)
    t.equal(rows.length, count, name)
    t.strictSame(rows, results.map((record: object) => Object.fromEntries(Object.entries(record).map(([field, value]) => [field, cell(value)]))), name)
  }
})

t.test('the report of an estimate has all lines', async (t) => {
  const { results } = (await director.get('estimates/6/conceptos/?todos=true&page_size=200')).json()
  const rows = await rowsOf(director, 'estimates/6/conceptos/?todos=true&page_size=1')
  t.strictSame(rows.map(({ concepto }) => concepto), results.map(({ concepto }: { concepto: number }) => String(concepto)))
  t.strictSame((await director.get('estimates/999999/conceptos/', accept)).json(), { detail: 'Not found.', code: 'not_found' })
})

t.test('the answer is a file in RFC 4180 with a byte order mark, and names what it varies by', async (t) => {
  await director.post('contracts/', { folio: 'CSV "1", 2', descripcion: 'x' })
  const { headers, rawPayload, body } = await director.get('contracts/?folio=CSV%20%221%22%2C%202&fields=folio,monto,estado,parent', accept)
  t.strictSame([...rawPayload.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  t.equal(body.slice(1), 'folio,monto,parent,estado\r\n"CSV ""1"", 2",0.00,,vigente\r\n')
  t.match(headers, { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="contracts.csv"', vary: /(^|,)Accept(,|$)/, etag: /^"[\w-]+"$/ })
  const unchanged = await director.get('contracts/?folio=CSV%20%221%22%2C%202&fields=folio,monto,estado,parent', { ...accept, 'if-none-match': String(headers.etag) })
  t.strictSame([unchanged.statusCode, unchanged.body], [304, ''])
  t.equal((await director.get('contracts/?folio=nada&fields=folio', accept)).body, '\ufefffolio\r\n', 'an empty list has a header')
})

t.test('`format` decides before `Accept`, and JSON is the default', async (t) => {
  const typeOf = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: { 'content-type': type } } = await director.get(url, headers)
    return `${statusCode} ${String(type).split(';', 1)[0]}`
  }
  for (const [url, given] of [['?format=csv', '*/*'], ['?format=csv', 'application/json'], ['?format=csv', 'text/html'], ['', 'text/csv'], ['', 'text/csv;charset=utf-8'], ['', 'text/*'], ['', 'application/json;q=0.5, text/csv']] as const) {
    t.equal(await typeOf(`contracts/${url}`, { accept: given }), '200 text/csv', `${url} ${given}`)
  }
  for (const [url, given] of [['', '*/*'], ['', 'text/html, */*;q=0.8'], ['?format=json', 'text/csv, application/json;q=0.5'], ['', 'text/csv;q=0.1, application/json']] as const) {
    t.equal(await typeOf(`contracts/${url}`, { accept: given }), '200 application/json', `${url} ${given}`)
  }
  t.equal(await typeOf('contracts/', { accept: 'text/html' }), '406 application/json')
  for (const url of ['contracts/1/', 'me/', 'changes/']) {
    t.equal(await typeOf(url, accept), '406 application/json', url)
    t.strictSame((await director.get(`${url}?format=csv`)).json(), invalid({ format: [message('en', 'invalidChoiceOf', { input: 'csv', choices: ['json'] })] }), url)
  }
  t.strictSame((await director.get('contracts/?format=xml')).json(), invalid({ format: [message('en', 'invalidChoiceOf', { input: 'xml', choices: ['json', 'csv'] })] }))
})

t.test('texts that look like formulas get an apostrophe; numbers stay numbers', async (t) => {
  const names = ['=1+1', '+52 81', '-5.00', '@SUM(A1)', "'=1", "''-", "'texto", 'a=1', '÷=']
  for (const nombre of names) await director.post('contrapartes/', { nombre, notas: 'línea 1\nlínea 2\rfin' })
  const rows = await rowsOf(director, 'contrapartes/?ordering=id&updated_since=2020-01-01T00:00Z&fields=nombre,notas')
  t.strictSame(rows.slice(-names.length), ["'=1+1", "'+52 81", "'-5.00", "'@SUM(A1)", "''=1", "'''-", "'texto", 'a=1', '÷='].map(nombre => ({ nombre, notas: 'línea 1\nlínea 2\rfin' })))
  const { id } = (await director.post('contracts/', { folio: 'CSV-NEGATIVO' })).json()
  await psql('insert into estimates (company_id, contract_id, deductivas) values (1, $1, 5)', [id])
  t.strictSame(await rowsOf(director, `estimates/?contract=${id}&fields=subtotal,neto`), [{ subtotal: '-5.00', neto: '-5.80' }])
})

t.test('filters, search, rights and errors are those of JSON', async (t) => {
  const { count } = (await director.get('contracts/?search=norte&moneda=MXN')).json()
  t.ok(count > 0)
  t.equal((await rowsOf(director, 'contracts/?search=norte&moneda=MXN&ordering=contraparte')).length, count)
  for (const url of ['contracts/?nada=1', 'contracts/?ordering=nada', 'contracts/?ordering=folio,-folio', 'contracts/?fields=nada', `contracts/?search=${Array.from({ length: 21 }, (_, i) => i).join('%20')}`]) {
    const [json, csv] = [await director.get(url), await director.get(url, accept)]
    t.strictSame([csv.statusCode, csv.json()], [400, json.json()], url)
  }
  const other = await rowsOf(await as('director@otra.example'), 'contracts/')
  const [{ ids }] = await psql('select array_agg(id) as ids from contracts where company_id = 1') as [{ ids: number[] }]
  t.notOk(other.some(({ id }) => ids.includes(Number(id))))
  t.equal((await director.get('users/', accept)).statusCode, 403)
})
