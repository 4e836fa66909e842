import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')
const unique = { errors: { folio: ['This field must be unique.'] }, codes: { folio: ['unique'] } }
const count = async () => (await director.get('contracts/?page_size=1')).json().count

t.test('valid items are written, and each refused one has its errors', async (t) => {
  const before = await count()
  const [{ id }] = await psql('select last_value as id from contracts_id_seq') as [{ id: number }]
  const answer = await director.post('contracts/bulk/', { partial: true, items: [{ folio: 'P-1' }, { folio: 'P-1' }, { folio: 'P-2', contraparte: 'Nobody', monto: 'x' }, {}, 7, { folio: 'P-3', foo: 1 }, { folio: 'P-4' }] })
  t.equal(answer.statusCode, 200)
  const { count: items, results } = answer.json()
  t.equal(items, 7)
  t.match(results, [{ id: id + 1, folio: 'P-1', version: 1 }, unique, { codes: { contraparte: ['does_not_exist'], monto: ['invalid'] } }, { codes: { folio: ['required'] } }, { codes: { non_field_errors: ['not_a_dict'] } }, { codes: { foo: ['unknown_field'] } }, { id: id + 2, folio: 'P-4' }])
  t.strictSame(results[0], (await director.get(`contracts/${id + 1}/`)).json())
  t.equal(await count(), before + 2)
})

t.test('each refused item has the errors of its single request', async (t) => {
  const bodies = [{ folio: 'P-1', parent: 999_999, fecha_inicio: '2026-05-01', fecha_fin: '2026-04-01' }, { folio: '', monto: -1 }, { folio: 'P-9', estado: 'autorizada', company: 2 }]
  const { results } = (await director.post('contracts/bulk/', { partial: true, items: bodies }, { 'accept-language': 'es' })).json()
  for (const [index, body] of bodies.entries()) {
    const { errors, codes } = (await director.post('contracts/', body, { 'accept-language': 'es' })).json()
    t.strictSame(results[index], { errors, codes })
  }
})

t.test('the state of a record and the level of the caller refuse their items only', async (t) => {
  const contract = (await director.post('contracts/', { folio: 'P-E', monto: '100' })).json().id
  for (const [external, estado] of [['p1', 'enviada'], ['p2', 'borrador'], ['p3', 'enviada']]) {
    await director.post('estimates/', { contract, external_id: external, monto: '1' })
    if (estado === 'enviada') await director.post('estimates/bulk/', { upsert: 'external_id', items: [{ external_id: external, contract, estado }] })
  }
  const coordinator = await as('coordinador@demo.example')
  const items = [{ external_id: 'p1', contract, monto: '2' }, { external_id: 'p2', contract, monto: '2' }, { external_id: 'p3', contract, estado: 'autorizada' }]
  const { results } = (await coordinator.post('estimates/bulk/', { partial: true, upsert: 'external_id', items })).json()
  t.match(results, [{ codes: { non_field_errors: ['conflict'] } }, { monto: '2.00', version: 2 }, { codes: { non_field_errors: ['permission_denied'] } }])
  t.equal((await coordinator.post('estimates/bulk/', { upsert: 'external_id', items })).statusCode, 403)
  t.match((await director.post('estimates/bulk/', { partial: true, upsert: 'external_id', items: items.slice(2) })).json().results, [{ estado: 'autorizada' }])
})

t.test('a repeated external_id is refused in an upsert', async (t) => {
  const items = [{ external_id: 'twice', folio: 'P-T1' }, { external_id: 'twice', folio: 'P-T2' }]
  const { results } = (await director.post('contracts/bulk/', { partial: true, upsert: 'external_id', items })).json()
  t.match(results, [{ folio: 'P-T1' }, { codes: { external_id: ['unique'] } }])
})

t.test('the answer is kept under an Idempotency-Key, for this request only', async (t) => {
  const body = { partial: true, items: [{ folio: 'P-K' }, { folio: 'P-K' }] }
  const key = { 'idempotency-key': 'partial' }
  const [first, again] = [await director.post('contracts/bulk/', body, key), await director.post('contracts/bulk/', body, key)]
  t.match([first.statusCode, first.json().results], [200, [{ folio: 'P-K' }, unique]])
  t.strictSame([again.statusCode, again.body, again.headers['idempotency-replayed']], [200, first.body, 'true'])
  t.equal((await director.post('contracts/bulk/', { ...body, partial: false }, key)).statusCode, 422)
})

t.test('the body itself must be valid, and without `partial` all items', async (t) => {
  t.strictSame((await director.post('contracts/bulk/', { partial: 'x', items: [] })).json().codes, { items: ['min_length'], partial: ['invalid'] })
  t.equal((await director.post('contracts/bulk/', { partial: false, items: [{ folio: 'P-5' }, {}] })).statusCode, 400)
  t.equal((await director.get('contracts/?folio=P-5')).json().count, 0)
})

t.test('more problems than a 400 lists are answered', async (t) => {
  const valid = (index: number) => index % 2 === 0 && (index < 20 || index > 180)
  const items = Array.from({ length: 200 }, (_, index) => valid(index) ? { folio: `P-M${index}` } : index % 4 === 1 ? { folio: 'P-M0' } : { monto: 'x', moneda: 'x', a: 1, b: 2, c: 3, d: 4, e: 5 })
  const before = await count()
  const { results } = (await director.post('contracts/bulk/', { partial: true, items })).json()
  t.equal(results.length, 200)
  t.ok(results.every((row: { errors?: object }, index: number) => (row.errors === undefined) === valid(index)))
  t.equal(await count(), before + results.filter((_: unknown, index: number) => valid(index)).length)
})
