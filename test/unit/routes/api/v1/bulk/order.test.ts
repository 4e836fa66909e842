import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { made } from './samples.ts'

const unique = ['This field must be unique.']

t.test('items of one bulk take effect in order', async (t) => {
  const server = await build(t)
  const director = await server.as('director@demo.example')
  const upsert = async (name: string, items: unknown[]) => await director.post(`${name}/bulk/`, { items, upsert: 'external_id' })

  t.test('items that each need a value released by the item before are written', async (t) => {
    const name = (number: number) => `R-${number}`
    const rows = Array.from({ length: 60 }, (_, number) => ({ external_id: name(number), nombre: name(number) }))
    t.equal((await upsert('contrapartes', rows)).statusCode, 201)
    const moved = rows.map((row, number) => ({ ...row, nombre: name(number - 1) }))
    t.match((await upsert('contrapartes', moved)).json().results, moved)
    t.strictSame((await upsert('contrapartes', rows)).json().errors['items.0.nombre'], unique, 'in reverse order each conflicts with the next')
  })

  t.test('a value is taken by the first item that has it, even if this item refers to another', async (t) => {
    await made(director, 'contracts', { folio: 'TAKEN' })
    const { errors } = (await upsert('contracts', [
      { folio: 'A', external_id: 'a' },
      { folio: 'TAKEN', external_id: 'taken' },
      { folio: 'X', external_id: 'x1', parent: { external_id: 'a' } },
      { folio: 'X', external_id: 'x2' }
    ])).json()
    t.strictSame(errors, { 'items.1.folio': unique, 'items.3.folio': unique })
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
  t.match(await drawn(), [{ last: lasts['contracts_id_seq'] + 51 }, Object, { last: lasts['estimates_id_seq'] + 1 }], 'of concurrent requests only the successful one')
})
