import { randomUUID } from 'node:crypto'
import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'

const { server, newSite } = await buildSites(t)
const { as } = server

t.test('a device makes an estimate with measurements offline', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const device = randomUUID()
  const send = async (mutations: object[]) => (await site.client.post('mutations/', { device, mutations })).json().results
  const line = (id: number, estimate: unknown, more: object = {}) => ({ id, op: 'create', resource: 'generadores', body: { estimate, concepto: site.conceptos['A'], cantidad: '2', ...more } })
  const results = await send([
    { id: 1, op: 'create', resource: 'estimates', ref: 'e', body: { contract: site.contract } },
    { ...line(2, { ref: 'e' }, { cantidad: undefined, piezas: '3', largo: '0.5' }), ref: 'g' }, line(3, { ref: 'e' }),
    { id: 4, op: 'update', resource: 'generadores', record: { ref: 'g' }, base: { piezas: '3.0000' }, body: { piezas: '4' } }
  ])
  t.strictSame(results.map(({ status }: { status: number }) => status), [201, 201, 201, 200], JSON.stringify(results))
  const estimate = results[0].record.id
  t.match(await site.read(estimate), { monto: '40.00', lineas: 1 })

  await site.patch(estimate, { estado: 'enviada' })
  const late = await send([line(5, estimate), { id: 6, op: 'delete', resource: 'generadores', record: results[1].record.id }])
  t.match(late, [{ status: 409, code: 'conflict' }, { status: 409, code: 'conflict' }], 'for an estimate that was sent meanwhile')
  const next = await site.estimate()
  t.match(await send([line(7, next)]), [{ status: 201 }], 'the app moves it to the next draft')
})

t.test('the feed has measurements only for clients that name them, and estimates of each change', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const end = async (query: string) => {
    let page = (await site.client.get(`changes/?page_size=1000&${query}`)).json()
    while (page.has_more === true) page = (await site.client.get(`changes/?page_size=1000&cursor=${page.cursor}`)).json()
    return page.cursor
  }
  const [plain, named] = [await end(''), await end('resources=estimates,generadores')]
  const { id } = await site.measure(estimate, 'A', { ubicacion: 'Eje 4', piezas: '3', largo: '2' })
  const seen = async (cursor: string) => (await site.client.get(`changes/?cursor=${cursor}`)).json().changes
  t.match(await seen(plain), [{ resource: 'estimates', id: estimate, record: { monto: '60.00', lineas: 1, version: 2 } }])
  const changes = await seen(named)
  t.strictSame(changes.map(({ resource, id }: { resource: string, id: number }) => [resource, id]).toSorted(), [['estimates', estimate], ['generadores', id]])
  t.match(changes.find(({ resource }: { resource: string }) => resource === 'generadores').record, { estimate, contract: site.contract, concepto: site.conceptos['A'], ubicacion: 'Eje 4', piezas: '3.0000', cantidad: '6.0000' })
  t.match((await site.client.get(`changes/?resources=generadores&contracts=${site.contract}`)).json().changes, [{ resource: 'generadores', id }])
  const known = await end('resources=estimates,generadores')
  await site.client.send('DELETE', `estimates/${estimate}/`)
  const after = await seen(known)
  t.match(after.filter(({ deleted }: { deleted?: true }) => deleted === true).map(({ resource, id }: { resource: string, id: number }) => [resource, id]).toSorted(), [['estimates', estimate], ['generadores', id]])
})

t.test('the history names who measured, and whose measurement changed the estimate', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const people = [await as('coordinador@demo.example'), await as('corporativo@demo.example')]
  const ids: number[] = []
  for (const [index, person] of people.entries()) {
    const made = await person.post('generadores/', { estimate, concepto: site.conceptos['A'], cantidad: String(index + 1) })
    ids.push(made.json().id)
  }
  const entries = async (query: string) => (await site.client.get(`history/?contract=${site.contract}&${query}`)).json().results
  t.match(await entries('resource=generadores'), [
    { record: ids[1], operation: 'insert', user: { nombre: 'Claudia Corporativo' }, fields: { cantidad: '2.0000', estimate } },
    { record: ids[0], operation: 'insert', user: { nombre: 'Carlos Coordinador' } }
  ])
  t.match(await entries(`resource=estimates&record=${estimate}`), [
    { user: { nombre: 'Claudia Corporativo' }, fields: { monto: ['10.00', '30.00'] } },
    { user: { nombre: 'Carlos Coordinador' }, fields: { monto: ['0.00', '10.00'], lineas: [0, 1] } },
    { operation: 'insert' }
  ])
  await Promise.all([site.client.send('PATCH', `conceptos/${site.conceptos['A']}/`, { precio_unitario: '11' }), people[0]?.send('PATCH', `generadores/${ids[0]}/`, { ubicacion: 'Sur' })])
  t.match(await entries(`resource=estimates&record=${estimate}&page_size=1`), [{ user: { nombre: 'Diana Directora' }, fields: { monto: ['30.00', '33.00'] } }], 'a new price')
})

t.test('lists are filtered, sorted and searched', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '100', '10']])
  const [first, second] = [await site.estimate(), await site.estimate()]
  await site.measure(first, 'A', { ubicacion: 'Crujía Norte', cantidad: '2' })
  await site.measure(first, 'B', { observaciones: 'Según plano E-4', cantidad: '1' })
  await site.measure(second, 'A', { cantidad: '-3' })
  const found = async (query: string) => (await site.client.get(`generadores/?contract=${site.contract}&${query}`)).json().results.map(({ cantidad }: { cantidad: string }) => Number(cantidad))
  t.strictSame(await found(''), [2, 1, -3])
  t.strictSame(await found('ordering=cantidad'), [-3, 1, 2])
  t.strictSame(await found(`estimate=${first}`), [2, 1])
  t.strictSame(await found(`concepto=${site.conceptos['A']}&ordering=-cantidad`), [2, -3])
  t.strictSame(await found('search=crujia'), [2])
  t.strictSame(await found('search=plano e-4'), [1])
})
