import t from 'tap'
import { parse } from 'csv-parse/sync'
import { describeService } from '../../../../../../src/server/describe-service.ts'
import { message } from '../../../../../../src/http/messages.ts'
import { build, type Client } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const { as, psql } = await build(t, { WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64') })
const director = await as('director@demo.example')
const accept = { accept: 'text/csv' }
const notFound = { detail: 'Not found.', code: 'not_found' }

/** The rows of a CSV answer by field name. */
async function rowsOf (url: string, client: Client = director): Promise<Array<Record<string, string>>> {
  const { statusCode, body } = await client.get(url, accept)
  t.equal(statusCode, 200, `${url}: ${body.slice(0, 200)}`)
  return parse(body, { bom: true, columns: true })
}

/** Records as rows of CSV. */
function asRows (records: object[]): Array<Record<string, string>> {
  const cell = (value: unknown) => value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return records.map(record => Object.fromEntries(Object.entries(record).map(([field, value]) => [field, cell(value)])))
}

/** All records of a list, by its links. */
async function allOf (url: string, client: Client = director): Promise<object[]> {
  const records: object[] = []
  for (let next: string | null = url; next !== null;) {
    const page: { results: object[], next: string | null } = succeeded(await client.get(next))
    records.push(...page.results)
    next = page.next?.replace(/.*\/api\/v1\//, '') ?? null
  }
  return records
}

t.test('every list and every report answers CSV, except the feed of changes', async (t) => {
  const { paths } = await describeService() as unknown as { paths: Record<string, { get?: { operationId?: string, responses: Record<string, { content?: object }> } }> }
  const lists = Object.entries(paths).filter(([path, { get }]) => path.startsWith('/api/v1/') && /^list|Tree$/.test(get?.operationId ?? ''))
  t.ok(lists.length > 15)
  for (const [path, { get }] of lists) t.equal('text/csv' in (get?.responses['200']?.content ?? {}), path !== '/api/v1/changes/', path)
})

interface Branch { id: number, children: Branch[] }

t.test('the tree has a row for each contract, after its parent and before the next sibling', async (t) => {
  const { id: other } = succeeded(await director.post('contracts/', { folio: 'ÁRBOL-USD', parent: 1, monto: '7.50', moneda: 'USD' }))
  await director.post('contracts/', { folio: '=ÁRBOL', parent: other, monto: '0.25' })
  const listed = ({ children, ...contract }: Branch, depth: number): object[] => [contract, ...depth === 0 ? [] : children.flatMap(child => listed(child, depth - 1))]
  for (const depth of [undefined, 0, 1, 2]) {
    const query = depth === undefined ? '' : `?depth=${depth}`
    const tree: Branch = succeeded(await director.get(`contracts/1/tree/${query}`))
    const expected = asRows(listed(tree, depth ?? Infinity)).map(row => ({ ...row, folio: row['folio']?.replace(/^=/, "'=") }))
    t.strictSame(await rowsOf(`contracts/1/tree/${query}`), expected, query)
    if (depth === undefined) t.ok(expected.length > 4)
  }
  t.match((await director.get('contracts/1/tree/', accept)).headers, { 'content-disposition': 'attachment; filename="tree-1.csv"' })
  for (const id of ['999999', '0', 'x']) t.strictSame((await director.get(`contracts/${id}/tree/`, accept)).json(), notFound, id)
})

t.test('ancestors, root first', async (t) => {
  const [{ id: leaf }] = (await director.get('contracts/?folio=%3D%C3%81RBOL')).json().results
  const ancestors = succeeded(await director.get(`contracts/${leaf}/ancestors/`))
  t.equal(ancestors.length, 2)
  t.strictSame(await rowsOf(`contracts/${leaf}/ancestors/?format=csv`), asRows(ancestors))
  t.strictSame(await rowsOf('contracts/1/ancestors/'), [])
  t.strictSame((await director.get('contracts/999999/ancestors/', accept)).json(), notFound)
})

t.test('deliveries of a webhook, newest first, while others write', async (t) => {
  const { id } = succeeded(await director.post('webhooks/', { url: 'https://erp.obra.example/csv' }))
  await psql(`insert into webhook_deliveries (company_id, webhook, message, events, intento, duracion_ms, respuesta, records)
    select 1, $1, 'msg_' || n, 'contracts.created,contracts.updated', n, 1, '=respuesta', '[{"resource": "contracts", "id": 1}]' from generate_series(1, 1200) n`, [id])
  const [rows] = await Promise.all([
    rowsOf(`webhooks/${id}/deliveries/?page_size=5`),
    ...[1, 2, 3, 4].map(async n => await director.send('PATCH', 'contracts/1/', { descripcion: `${n}` }))
  ])
  const expected = asRows(await allOf(`webhooks/${id}/deliveries/?page_size=200`)).map(row => ({ ...row, records: '[{"id":1,"resource":"contracts"}]', respuesta: "'=respuesta" }))
  t.equal(rows.length, 1200)
  t.strictSame(rows, expected)
  t.strictSame((await director.get('webhooks/999999/deliveries/', accept)).json(), notFound)
  t.equal((await (await as('coordinador@demo.example')).get(`webhooks/${id}/deliveries/`, accept)).statusCode, 403)
})

t.test('the history, with its filters and rights, while others write', async (t) => {
  for (let n = 0; n < 3; n++) succeeded(await director.post('contracts/bulk/', { items: Array.from({ length: 250 }, (_, m) => ({ folio: `HC-${n}-${m}` })) }))
  const superuser = await as('superusuario@demo.example')
  const corporativo = await as('corporativo@demo.example')
  await psql("update users set company_id = 1 where email in ('superusuario@demo.example', 'corporativo@demo.example')")
  const lists: Array<[string, Client]> = [
    ['', director], ['resource=contracts', director], ['contract=1', director], ['user=null&hasta=2999-01-01', director],
    ['resource=users', corporativo], ['resource=users', superuser], ['resource=customers', superuser], ['desde=2999-01-01', director]
  ]
  for (const [query, client] of lists) {
    t.strictSame(await rowsOf(`history/?page_size=3&${query}`, client), asRows(await allOf(`history/?page_size=200&${query}`, client)), query)
  }
  const before = asRows(await allOf('history/?page_size=200'))
  const [rows] = await Promise.all([
    rowsOf('history/'),
    ...[1, 2, 3, 4, 5].map(async n => await director.send('PATCH', 'contracts/1/', { descripcion: `durante ${n}` }))
  ])
  t.ok(rows.length >= before.length && rows.length <= before.length + 5)
  t.strictSame(rows.slice(-before.length), before)
  t.equal((await director.get('history/?resource=users', accept)).statusCode, 403)
  t.strictSame((await director.get('history/?desde=x', accept)).json(), invalid({ desde: [message('en', 'notInstant')] }))
})

t.test('a history of more than 100,000 entries is refused', async (t) => {
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await director.send('PATCH', 'me/', { company })
  await psql(`insert into history (company_id, resource, record_id, version, at, operation, fields)
    select $1, 'contracts', n, 1, clock_timestamp(), 'insert', '{}' from generate_series(1, 100001) n`, [company])
  t.strictSame((await director.get('history/', accept)).json(), invalid({ non_field_errors: [message('en', 'tooManyRows', { max_rows: 100_000 })] }))
  t.equal((await rowsOf('history/?record=77')).length, 1)
})
