import { randomUUID } from 'node:crypto'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('an external_id that an earlier item takes away names no record, and one that an item gives names its record', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  await director.post('contracts/', { folio: 'R-1', external_id: 'r-1' })
  const items = [{ folio: 'R-1', external_id: 'r-2' }, { folio: 'R-2', parent: { external_id: 'r-1' } }, { folio: 'R-3', parent: { external_id: 'r-2' } }]
  const missing = ['Object with external_id=r-1 does not exist.']
  const refused = await director.post('contracts/bulk/', { upsert: 'folio', items })
  t.equal(refused.statusCode, 400)
  t.strictSame(refused.json().errors, { 'items.1.parent': missing })
  const partial = await director.post('contracts/bulk/', { upsert: 'folio', partial: true, items })
  const [renamed, , child] = partial.json().results
  t.match(partial.json().results, [{ external_id: 'r-2' }, { errors: { parent: missing } }, { parent: renamed.id }])

  const mutations = [
    { id: 1, op: 'update', resource: 'contracts', record: renamed.id, body: { external_id: 'r-3' } },
    { id: 2, op: 'create', resource: 'contracts', body: { folio: 'R-4', parent: { external_id: 'r-2' } } },
    { id: 3, op: 'update', resource: 'contracts', record: child.id, body: { parent: { external_id: 'r-3' }, descripcion: 'x' } }
  ]
  const answer = await director.post('mutations/', { device: randomUUID(), mutations })
  t.match(answer.json().results, [{ status: 200 }, { status: 400, errors: { parent: ['Object with external_id=r-2 does not exist.'] } }, { status: 200 }])
})

t.test('after a refused item, a reference to the record of a later item is valid', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  await director.post('contracts/', { folio: 'S-1' })
  const items = [{ folio: 'S-1' }, { folio: 'S-2', external_id: 's-2' }, { folio: 'S-3', parent: { external_id: 's-2' } }]
  t.strictSame(Object.keys((await director.post('contracts/bulk/', { items })).json().errors), ['items.0.folio'])
})

t.test('each item can take the folio that the item before it gives up', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const item = (index: number, folio: number) => ({ external_id: `n-${index}`, folio: `N-${folio}` })
  const indexes = [...Array(50).keys()]
  await director.post('contracts/bulk/', { items: indexes.map(index => item(index, index)) })
  const up = indexes.map(index => item(index, index + 1)).toReversed()
  const down = indexes.map(index => item(index, index))
  for (const [items, partial] of [[up, false], [down, false], [up, true], [down, true]] as const) {
    const { results } = (await director.post('contracts/bulk/', { upsert: 'external_id', partial, items })).json()
    t.strictSame(results.map(({ external_id: name, folio }: Record<string, string>) => ({ external_id: name, folio })), items)
  }
})
