import t from 'tap'
import { randomUUID } from 'node:crypto'
import { build } from '../../../../../support/helper.ts'

t.test('a mutation needs the level of the request of its resource', async (t) => {
  const { as, psql } = await build(t)
  const [director, coordinator, auxiliary] = [await as('director@demo.example'), await as('coordinador@demo.example'), await as('auxiliar@demo.example')]
  const created = async (path: string, body: object) => (await director.post(`${path}/`, body)).json().id as number
  const contract = await created('contracts', { folio: 'LVL-1' })
  const concepto = await created('conceptos', { contract, clave: 'A', unidad: 'm', cantidad: '10', precio_unitario: '10' })
  const paid = await created('estimates', { contract })
  await created('generadores', { estimate: paid, concepto, cantidad: '1' })
  for (const estado of ['enviada', 'autorizada']) await director.send('PATCH', `estimates/${paid}/`, { estado })
  const draft = await created('estimates', { contract })
  const line = await created('generadores', { estimate: draft, concepto, cantidad: '1' })
  const mutations = [
    { id: 1, op: 'create', resource: 'pagos', body: { estimate: paid, importe: '1', fecha: '2026-03-01' } },
    { id: 2, op: 'delete', resource: 'generadores', record: line },
    { id: 3, op: 'delete', resource: 'estimates', record: draft },
    { id: 4, op: 'create', resource: 'generadores', body: { estimate: draft, concepto, cantidad: '2' } },
    { id: 5, op: 'create', resource: 'pagos', body: { estimate: paid, importe: '1', fecha: '2026-03-02' } }]
  const statuses = async (caller: typeof director, some = mutations) => (
    (await caller.post('mutations/', { device: randomUUID(), mutations: some })).json().results.map(({ status }: { status: number }) => status))
  t.strictSame(await statuses(auxiliary), [403, 403, 403, 403, 403])
  t.strictSame(await statuses(coordinator, mutations.filter(({ resource }) => resource === 'pagos')), [403, 403], 'no mutation of the request is allowed')
  t.strictSame(await statuses(coordinator), [403, 204, 403, 201, 403])
  t.strictSame(await psql(`select from pagos where estimate_id = ${paid}`), [])
  t.strictSame(await statuses(director), [201, 204, 204, 400, 201], 'the first line is gone already, and its estimate now')
})

t.test('the body of a level that can write nothing has a lower limit, and is not parsed beyond it', async (t) => {
  const { as } = await build(t)
  const [director, auxiliary] = [await as('director@demo.example'), await as('auxiliar@demo.example')]
  const json = { 'content-type': 'application/json' }
  const request = (length: number) => {
    const body = JSON.stringify({ device: randomUUID(), mutations: [{ id: 1, op: 'create', resource: 'contracts', body: { folio: randomUUID() } }] })
    return body + ' '.repeat(length - body.length)
  }
  const answer = async (caller: typeof director, body: string) => {
    const response = await caller.post('mutations/', body, json)
    const { code, results } = response.json()
    return [response.statusCode, code ?? results?.[0].status]
  }
  const limit = 128 * 1024
  t.strictSame(await answer(auxiliary, request(limit)), [200, 403])
  t.strictSame(await answer(auxiliary, request(limit + 1)), [413, 'body_too_large'])
  t.match((await auxiliary.post('mutations/', request(limit + 1), json)).json().detail, /128 KiB/)
  t.strictSame(await answer(director, request(limit + 1)), [200, 201])
  const unparsable = '{'.repeat(limit)
  for (const caller of [director, auxiliary]) t.strictSame((await caller.post('mutations/', unparsable, json)).statusCode, 400)
  t.strictSame((await director.post('mutations/', `${unparsable}{`, json)).statusCode, 400)
  t.strictSame((await auxiliary.post('mutations/', `${unparsable}{`, json)).statusCode, 413, 'the parser does not see it')
})
