import t, { type Test } from 'tap'
import { analyzeGrown } from '../../../../src/database/connection/statistics.ts'
import { build, type Client, type TestServer } from '../../../support/helper.ts'
import { forgetStatistics, visits } from '../../../support/visited.ts'

const size = 200
const bulks = 6

type Answer = Awaited<ReturnType<Client['get']>>

/** Sends requests one after the other. @returns the blocks that each has visited */
async function blocksOf (server: TestServer, requests: Array<() => Promise<Answer>>): Promise<number[]> {
  const visited = visits(server)
  const blocks: number[] = []
  for (const request of requests) {
    await visited()
    const { statusCode, body } = await request()
    blocks.push(await visited())
    if (statusCode >= 300) throw new Error(body)
  }
  return blocks
}

/** Compares the last request with the second one. An index grows by a level or two, which is less than a half more. */
function isFlat (t: Test, blocks: number[], name: string): void {
  t.ok(blocks.at(-1) as number <= 1.5 * blocks[1], `${name}: ${blocks.join(', ')} blocks`)
}

/** Upserts of one bulk after the other, each with further records. */
function upserts (client: Client, resource: string, item: (n: number) => object): Array<() => Promise<Answer>> {
  return Array.from({ length: bulks }, (_, bulk) => async () => await client.post(`${resource}/bulk/`, { upsert: 'external_id', items: Array.from({ length: size }, (_, index) => item(bulk * size + index)) }))
}

const vendor = (n: number) => ({ external_id: `V-${n}`, nombre: `Proveedor ${n}` })
const contract = (n: number) => ({ external_id: `C-${n}`, folio: `ERP-${n}`, monto: '1000.00' })

t.test('without statistics, a bulk visits as many blocks in a large company as in a small one', async (t) => {
  const server = await build(t)
  const client = await server.as('director@demo.example')
  await forgetStatistics(server.psql)
  for (const [resource, item, change] of [['contrapartes', vendor, { notas: 'Otra' }], ['contracts', contract, { descripcion: 'Otra' }]] as const) {
    isFlat(t, await blocksOf(server, upserts(client, resource, item)), `new ${resource}`)
    isFlat(t, await blocksOf(server, upserts(client, resource, item)), `unchanged ${resource}`)
    isFlat(t, await blocksOf(server, upserts(client, resource, n => ({ ...item(n), ...change }))), `changed ${resource}`)
  }
})

t.test('without statistics, a bulk visits as many blocks in a large catalogue, or of a large estimate, as in a small one', async (t) => {
  const server = await build(t)
  const client = await server.as('director@demo.example')
  const contract = (await client.post('contracts/', { folio: 'CATALOGO' })).json().id
  const estimate = (await client.post('estimates/', { contract })).json().id
  await forgetStatistics(server.psql)
  const bulkOf = (resource: string, upsert: string, item: (n: number) => object) => (n: number, change: object = {}) => async () =>
    await client.post(`${resource}/bulk/`, { upsert, items: Array.from({ length: size }, (_, index) => ({ ...item(n * size + index), ...change })) })
  const concepts = bulkOf('conceptos', 'clave', n => (
    { contract, clave: `C-${n}`, external_id: `C-${n}`, capitulo: 'Uno', unidad: 'm', cantidad: '1000.0000', precio_unitario: '2.00' }))
  const measurements = bulkOf('generadores', 'external_id', n => (
    { estimate, concepto: { external_id: `C-${n % 30}` }, external_id: `G-${n}`, piezas: '2.0000', largo: '1.5000' }))
  for (const [name, bulk, field] of [['conceptos', concepts, 'descripcion'], ['generadores', measurements, 'observaciones']] as const) {
    const blocks = await blocksOf(server, Array.from({ length: bulks }, (_, n) => [bulk(n), bulk(n), bulk(n, { [field]: `${n}` })]).flat())
    for (const [at, kind] of ['new', 'unchanged', 'changed'].entries()) isFlat(t, blocks.filter((_, index) => index % 3 === at), `${kind} ${name}`)
  }
})

t.test('after the analysis of grown tables, foreign key checks visit as many blocks in a large company as in a small one', async (t) => {
  const server = await build(t)
  const client = await server.as('director@demo.example')
  await forgetStatistics(server.psql)
  const referring = upserts(client, 'contracts', n => ({ ...contract(n), parent: 1 + n % 60, contraparte: `Proveedor ${n}` }))
  const parties = upserts(client, 'contrapartes', vendor)
  const requests = referring.flatMap((request, bulk) => [parties[bulk], async () => {
    await analyzeGrown(server.database.sql, 10)
    return await request()
  }])
  const blocks = await blocksOf(server, requests)
  isFlat(t, blocks.filter((_, index) => index % 2 === 1), 'contracts with a parent and a new counterparty')
})

t.test('after the analysis of grown tables, single requests visit as many blocks in a large company as in a small one', async (t) => {
  const server = await build(t)
  const client = await server.as('director@demo.example')
  await forgetStatistics(server.psql)
  const device = '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11'
  const requests: Record<string, (n: number) => Promise<Answer>> = {
    create: async n => await client.post('contracts/', { folio: `UNO-${n}`, descripcion: 'Una' }),
    'create with a key': async n => await client.post('contracts/', { folio: `CLAVE-${n}` }, { 'idempotency-key': `k${n}` }),
    change: async n => await client.send('PATCH', `contracts/${1 + n}/`, { folio: `OTRO-${n}`, monto: '9000000.25' }),
    record: async n => await client.get(`contracts/${20 + n}/`),
    delete: async n => await client.send('DELETE', `contracts/${await lastId()}/`),
    mutations: async n => await client.post('mutations/', {
      device,
      mutations: [
        { id: 3 * n + 1, op: 'create', resource: 'contrapartes', ref: `p${n}`, body: { nombre: `Móvil ${n}` } },
        { id: 3 * n + 2, op: 'create', resource: 'contracts', ref: `c${n}`, body: { folio: `MOVIL-${n}` } },
        { id: 3 * n + 3, op: 'update', resource: 'contracts', record: { ref: `c${n}` }, base: { descripcion: '' }, body: { descripcion: 'Otra' } }
      ]
    })
  }
  const lastId = async () => {
    const [row] = await server.psql('select max(id) as id from contracts where company_id = 1')
    return row?.['id']
  }
  const names = Object.keys(requests)
  const grow = upserts(client, 'contracts', contract).map(request => async () => {
    const answer = await request()
    await analyzeGrown(server.database.sql, 10)
    return answer
  })
  const rounds = grow.flatMap((bulk, n) => [bulk, ...Object.values(requests).map(request => async () => await request(n))])
  const blocks = await blocksOf(server, rounds)
  for (const [index, name] of names.entries()) isFlat(t, blocks.filter((_, at) => at % (names.length + 1) === index + 1), name)
})

t.test('a page of the feed visits as many blocks for a device with many records as for one with few', async (t) => {
  for (const isAnalyzed of [false, true]) {
    const server = await build(t)
    const client = await server.as('director@demo.example')
    const device = '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b12'
    await client.post('mutations/', { device, mutations: [{ id: 1, op: 'create', resource: 'contrapartes', ref: 'p', body: { nombre: 'Móvil' } }] })
    await forgetStatistics(server.psql)
    let size = 50
    // Of another size each time, because the page cache knows the earlier ones.
    const page = async () => await client.get(`changes/?device=${device}&page_size=${size++}`)
    const [, before] = await blocksOf(server, [page, page]) as [number, number]
    await server.psql("insert into device_refs (device_id, company_id, ref, resource, record_id) select $1, 1, 'c-' || n, 'contracts', 1000000 + n from generate_series(1, 20000) n", [device])
    if (isAnalyzed) await server.psql('analyze')
    const after = await blocksOf(server, [page, page])
    t.ok(after[1] <= before + 150, `${before}, ${after[1]} blocks for 50 records`)
    t.match((await page()).body, /"ref":"p"/)
  }
})

t.test('without statistics, a create with a key visits as many blocks beside many stored keys as beside few', async (t) => {
  const server = await build(t)
  const client = await server.as('director@demo.example')
  const { id: user, company } = (await client.get('me/')).json()
  const creates = (names: string) => [...names].map(name => async () => await client.post('contracts/', { folio: name }, { 'idempotency-key': name }))
  await forgetStatistics(server.psql)
  const [, few] = await blocksOf(server, creates('AB'))
  await server.psql(`insert into idempotency_keys (user_id, company_id, route, key, reach, digest, status, headers, body)
    select $1, $2, '/api/v1/contracts/', 'k' || i, '3:1', '', 201, '{}', '' from generate_series(1, 20000) i`, [user, company])
  await forgetStatistics(server.psql)
  const [, many] = await blocksOf(server, creates('CD'))
  t.ok(many <= 1.5 * few, `${few} and ${many} blocks`)
})
