import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { made, traces } from './samples.ts'

const unique = ['This field must be unique.']

t.test('items of one bulk take effect in order', async (t) => {
  const server = await build(t)
  const director = await server.as('director@demo.example')
  const upsert = async (name: string, items: unknown[]) => await director.post(`${name}/bulk/`, { items, upsert: 'external_id' })
  let folios = 0
  const contractOf = async (values: object) => (await made(director, 'contracts', { folio: `O-${++folios}`, ...values }))['id'] as number

  t.test('estimates are authorized in the order of the items, not of their numbers', async (t) => {
    const shares = async (order: number[]) => {
      const contract = await contractOf({ monto: '1.00', anticipo_porcentaje: '50' })
      const items = ['0.45', '0.45', '0.10'].map((monto, index) => ({ contract, external_id: `s${contract}-${index}`, monto }))
      t.equal((await upsert('estimates', items)).statusCode, 201)
      t.equal((await upsert('estimates', items.map(item => ({ ...item, estado: 'enviada' })))).statusCode, 201)
      const { results } = (await upsert('estimates', order.map(index => ({ ...items[index], estado: 'autorizada' })))).json()
      return results.map((estimate: { amortizacion: string }) => estimate.amortizacion)
    }
    t.strictSame(await shares([2, 1, 0]), ['0.05', '0.23', '0.22'])
    t.strictSame(await shares([0, 1, 2]), ['0.23', '0.23', '0.04'])
    t.strictSame(await shares([1, 2, 0]), ['0.23', '0.05', '0.22'])
  })

  t.test('a value released by an earlier item can be used by a change and a create; one released by a later item cannot', async (t) => {
    for (const name of ['a', 'b', 'c']) await made(director, 'contracts', { folio: `F-${name}`, external_id: name })
    const chain = [{ external_id: 'a', folio: 'F-new' }, { external_id: 'b', folio: 'F-a' }, { external_id: 'd', folio: 'F-b' }, { external_id: 'c', folio: 'F-c' }]
    const before = await traces(server)
    const [first, second, third, fourth] = chain
    t.strictSame((await upsert('contracts', [second, first, third, fourth])).json().errors, { 'items.0.folio': unique, 'items.2.folio': unique })
    t.strictSame((await upsert('contracts', [first, third, second])).json().errors, { 'items.1.folio': unique })
    t.equal(await traces(server), before)
    const response = await upsert('contracts', chain)
    t.equal(response.statusCode, 201)
    t.match(response.json().results, chain)
  })

  t.test('a period released by an earlier item can be used', async (t) => {
    const contract = await contractOf({ monto: '10' })
    const march = { periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31' }
    await made(director, 'estimates', { contract, external_id: 'm1', ...march })
    const moved = { contract, external_id: 'm1', periodo_inicio: '2026-04-01', periodo_fin: '2026-04-30' }
    const next = { contract, external_id: 'm2', ...march }
    t.strictSame(Object.keys((await upsert('estimates', [next, moved])).json().errors), ['items.0.periodo_inicio'])
    t.match((await upsert('estimates', [moved, next])).json().results, [{ numero: 1, periodo_inicio: '2026-04-01' }, { numero: 2, periodo_inicio: '2026-03-01' }])
  })

  t.test('a move that would form a cycle is refused, although a later item would break it', async (t) => {
    const top = await contractOf({ external_id: 'top' })
    const middle = await contractOf({ external_id: 'middle', parent: top })
    const leaf = await contractOf({ external_id: 'leaf' })
    const folio = async (id: number) => (await director.get(`contracts/${id}/`)).json().folio
    const items = [
      { external_id: 'leaf', folio: await folio(leaf), parent: middle },
      { external_id: 'top', folio: await folio(top), parent: leaf },
      { external_id: 'middle', folio: await folio(middle), parent: null }
    ]
    const cycle = ['A contract may not be moved under itself or one of its subcontracts.']
    t.strictSame((await upsert('contracts', items)).json().errors, { 'items.1.parent': cycle })
    const [leafs, tops, middles] = items
    t.match((await upsert('contracts', [leafs, middles, tops])).json().results, [{ parent: middle }, { parent: null }, { parent: leaf }])
  })

  t.test('items that each need a value released by the item before are written', async (t) => {
    const name = (number: number) => `R-${number}`
    const rows = Array.from({ length: 60 }, (_, number) => ({ external_id: name(number), nombre: name(number) }))
    t.equal((await upsert('contrapartes', rows)).statusCode, 201)
    const moved = rows.map((row, number) => ({ ...row, nombre: name(number - 1) }))
    t.match((await upsert('contrapartes', moved)).json().results, moved)
    t.strictSame((await upsert('contrapartes', rows)).json().errors['items.0.nombre'], unique, 'in reverse order each conflicts with the next')
  })
})

t.test('only created records use ids', async (t) => {
  const server = await build(t)
  const director = await server.as('director@demo.example')
  const drawn = async () => await server.psql("select sequencename::text as name, last_value as last from pg_sequences where sequencename in ('contracts_id_seq', 'contrapartes_id_seq', 'estimates_id_seq') order by 1")
  await made(director, 'contracts', { folio: 'HAY', external_id: 'hay', monto: '10' })
  const [{ id: contract }] = (await director.get('contracts/?folio=HAY')).json().results
  const april = { contract, periodo_inicio: '2026-04-01', periodo_fin: '2026-04-30' }
  await made(director, 'estimates', april)
  const many = Array.from({ length: 50 }, (_, index) => ({ folio: `M-${index}`, external_id: `m-${index}` }))

  const before = await drawn()
  const refused: Record<string, [path: string, body: object]> = {
    'a create with a taken value': ['contracts/', { folio: 'HAY' }],
    'a create with an absent reference': ['contracts/', { folio: 'M', parent: 999_999 }],
    'a create with an overlapping period': ['estimates/', april],
    'a bulk with a taken value': ['contracts/bulk/', { items: [...many, { folio: 'HAY' }] }],
    'a bulk with a duplicate value': ['contracts/bulk/', { items: [...many, { folio: 'M-3' }] }],
    'a bulk with an invalid item': ['contracts/bulk/', { items: [...many, { folio: 'M', monto: '1.005' }] }],
    'a bulk with periods that overlap': ['estimates/bulk/', { items: Array.from({ length: 20 }, () => ({ ...april, periodo_inicio: '2026-06-01', periodo_fin: '2026-06-30' })) }],
    'an upsert of new records and a refused change': ['contracts/bulk/', { items: [...many, { folio: 'M-7', external_id: 'hay' }], upsert: 'external_id' }],
    'an upsert whose second move is refused': ['contracts/bulk/', { items: [...many, { folio: 'HAY', external_id: 'hay', parent: contract }], upsert: 'external_id' }]
  }
  for (const [what, [path, body]] of Object.entries(refused)) {
    const response = await director.post(path, body)
    t.equal(response.statusCode, 400, what)
    t.strictSame(await drawn(), before, what)
  }

  const lasts = Object.fromEntries(before.map(({ name, last }) => [name, last]))
  t.equal((await director.post('contracts/bulk/', { items: [...many, { folio: 'HAY 2', external_id: 'hay' }], upsert: 'external_id' })).statusCode, 201)
  t.match(await drawn(), [{ last: lasts['contracts_id_seq'] + 50 }, { last: lasts['contrapartes_id_seq'] }, { last: lasts['estimates_id_seq'] }], 'one id per created record')

  const answers = await Promise.all(Array.from({ length: 12 }, async () => await director.post('estimates/', { ...april, periodo_inicio: '2026-09-01', periodo_fin: '2026-09-30' })))
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, ...Array(11).fill(400)])
  const names = await Promise.all(Array.from({ length: 12 }, async () => await director.post('contracts/', { folio: 'A LA VEZ' })))
  t.strictSame(names.map(({ statusCode }) => statusCode).sort(), [201, ...Array(11).fill(400)])
  t.match(await drawn(), [{ last: lasts['contracts_id_seq'] + 51 }, {}, { last: lasts['estimates_id_seq'] + 1 }], 'of concurrent requests only the successful one')
})
