import fc from 'fast-check'
import t from 'tap'
import { build, type TestServer } from '../../../../../support/helper.ts'

const device = '7a1c6f0e-0d0e-4f5a-9d3a-7d0a5f6f2b11'

/** Names and records so few that mutations depend on each other. */
const folio = fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 1, max: 90 }).map(n => `MZ-${n}`) }, fc.constant('x'.repeat(300)))
const named = fc.constantFrom('MZ-X', 'MZ-Y', 'MZ-Z')
const record = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.constantFrom({ ref: 'r1' }, { ref: 'r2' }, 999_999))
const body = fc.record({ folio, monto: fc.constantFrom('10.00', '20.00', '30.00', '40.00', '-1'), parent: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, record, fc.record({ external_id: named })), external_id: fc.option(named, { freq: 1, nil: undefined }) }, { requiredKeys: [] })
const base = fc.oneof({ weight: 5, arbitrary: fc.constantFrom({}, { monto: '10.00' }) }, fc.record({ parent: fc.record({ external_id: named }) }))
const mutation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('create'), resource: fc.constant('contracts'), ref: fc.constantFrom('r1', 'r2', undefined, undefined), body }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('update'), resource: fc.constant('contracts'), record, base, body }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete'), resource: fc.constant('contracts'), record }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('create'), resource: fc.constant('contrapartes'), body: fc.record({ nombre: fc.constantFrom('MZ A', 'MZ B', 'MZ C') }) }) }
)

t.test('mutations of one request have the results of one request each, and leave the same records', async (t) => {
  const [together, apart] = [await build(t), await build(t)]
  const clients = [await together.as('director@demo.example'), await apart.as('director@demo.example')] as const
  const records = async ({ psql }: TestServer) => JSON.stringify(await psql('select id, folio, external_id, monto::text, parent_id, version from contracts order by id'))
  const plain = (result: object) => ({ ...result, detail: undefined })
  let id = 0
  let [written, refused] = [0, 0]

  await fc.assert(fc.asyncProperty(fc.array(mutation, { minLength: 5, maxLength: 25 }), async (given) => {
    const mutations = given.map(one => ({ id: ++id, ...JSON.parse(JSON.stringify(one)) }))
    const acknowledged = (mutations[0]?.id ?? 1) - 1
    const response = await clients[0].post('mutations/', { device, acknowledged, mutations })
    if (response.statusCode !== 200) throw new Error(response.body)
    const results = response.json().results as Array<{ status: number }>
    const single: object[] = []
    for (const one of mutations) single.push((await clients[1].post('mutations/', { device, acknowledged, mutations: [one] })).json().results[0])
    for (const { status } of results) status < 300 ? written++ : refused++
    t.strictSame(results.map(plain), single.map(plain))
    t.equal(await records(together), await records(apart))
  }), { numRuns: 25, endOnFailure: true })
  t.ok(written > 20 && refused > 20, `${written} mutations were written, ${refused} refused`)
})

/** Few of these amounts fit together, so triggers refuse many statements. */
const amount = fc.constantFrom('0.01', '4000000000000000.00', '9000000000000000.00', '9999999999999999.00', '-1')
const movement = fc.record({ antes_iva: fc.constantFrom(true, false), importe: amount, external_id: fc.option(fc.constantFrom('A', 'B', 'C'), { nil: undefined }) })

t.test('movements that triggers refuse have the results of one request each', async (t) => {
  const servers = [await build(t), await build(t), await build(t)]
  const [mutating, partial, alone] = await Promise.all(servers.map(async server => await server.as('director@demo.example')))
  if (mutating === undefined || partial === undefined || alone === undefined) throw new Error('three servers')
  const plain = ({ status, errors, codes }: { status: number, errors?: object, codes?: object }) => ({ isWritten: status < 300, errors, codes })
  let id = 0
  let [written, refused] = [0, 0]
  const contracts: number[] = []
  for (const client of [mutating, partial, alone]) contracts.push((await client.post('contracts/', { folio: 'SUMS', monto: '1000.00' })).json().id)
  await fc.assert(fc.asyncProperty(fc.array(movement, { minLength: 10, maxLength: 40 }), async (given) => {
    const round = ++id
    const estimates: number[] = []
    for (const [place, client] of [mutating, partial, alone].entries()) estimates.push((await client.post('estimates/', { contract: contracts[place], monto: '1.00' })).json().id)
    const items = (estimate: number | undefined) => given.map(({ external_id: name, ...one }, index) =>
      ({ estimate, tipo: 'pena', motivo: `M ${index}`, ...one, ...name !== undefined && { external_id: `${name}-${round}` } }))
    const mutations = items(estimates[0]).map(body => ({ id: ++id, op: 'create', resource: 'movimientos', body }))
    const together = (await mutating.post('mutations/', { device, acknowledged: (mutations[0]?.id ?? 1) - 1, mutations })).json().results
    const bulk = (await partial.post('movimientos/bulk/', { items: items(estimates[1]), partial: true })).json().results
    const single = []
    for (const item of items(estimates[2])) {
      const response = await alone.post('movimientos/', item)
      single.push(plain({ ...response.json() as object, status: response.statusCode }))
    }
    for (const { isWritten } of single) isWritten ? written++ : refused++
    t.strictSame(together.map(plain), single)
    t.strictSame(bulk.map((row: { errors?: object, codes?: object }) => plain({ ...row, status: row.errors === undefined ? 201 : 400 })), single)
  }), { numRuns: 20, endOnFailure: true })
  t.ok(written > 20 && refused > 20, `${written} movements were written, ${refused} refused`)
})

t.test('a change makes room for the next one, which takes it from a third one', async (t) => {
  const server = await build(t)
  const director = await server.as('director@demo.example')
  const periods = [['2026-01-01', '2026-01-15'], ['2026-03-01', '2026-03-15'], ['2026-04-01', '2026-04-15']] as const
  const wanted = [['2026-02-01', '2026-02-15'], ['2026-01-01', '2026-01-31'], ['2026-01-16', '2026-01-31']] as const
  const dates = ([from, until]: readonly [string, string]) => ({ periodo_inicio: from, periodo_fin: until })
  const drafts = async (folio: string) => {
    const contract = (await director.post('contracts/', { folio, monto: '1000.00' })).json().id
    const made = []
    for (const period of periods) made.push((await director.post('estimates/', { contract, monto: '1.00', external_id: `${folio}-${made.length}`, ...dates(period) })).json())
    return made as Array<{ id: number, external_id: string, contract: number }>
  }

  const some = await drafts('ROOM-1')
  const mutations = some.map(({ id }, index) => ({ id: index + 1, op: 'update', resource: 'estimates', record: id, body: dates(wanted[index] as (typeof wanted)[0]) }))
  const { results } = (await director.post('mutations/', { device: '7a1c6f0e-0d0e-4f5a-9d3a-7d0a5f6f2b12', mutations })).json()
  t.match(results, [{ status: 200 }, { status: 200 }, { status: 400, codes: { periodo_inicio: ['period_overlaps'] } }])

  const others = await drafts('ROOM-2')
  const items = others.map(({ external_id: id, contract }, index) => ({ external_id: id, contract, ...dates(wanted[index] as (typeof wanted)[0]) }))
  const partial = (await director.post('estimates/bulk/', { items, upsert: 'external_id', partial: true })).json()
  t.strictSame(partial.results.map(({ codes }: { codes?: object }) => codes), [undefined, undefined, { periodo_inicio: ['period_overlaps'] }])
})
