import { randomUUID } from 'node:crypto'
import t from 'tap'
import { restore, save } from '../../../../../system/sync/restore.ts'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')
const create = (folio: string) => [{ id: 1, op: 'create', resource: 'contracts', body: { folio } }]
const send = async (folio: string, cursor: string) => await director.post('mutations/', { device: randomUUID(), cursor, mutations: create(folio) })
const feed = async (query = '') => await director.get(`changes/?page_size=1000${query}`)
const isThere = async (folio: string) => (await psql(`select id from contracts where folio = '${folio}'`)).length === 1

t.test('the answer has the cursor at the same position, and the feed continues there', async (t) => {
  const { cursor } = (await feed()).json()
  await director.post('contracts/', { folio: 'CUR-1' })
  const { results, cursor: next } = (await send('CUR-2', cursor)).json()
  t.match(results, [{ status: 201 }])
  t.match((await feed(`&cursor=${next}`)).json(), { changes: [{ record: { folio: 'CUR-1' } }, { record: { folio: 'CUR-2' } }], has_more: false })
  t.notOk('cursor' in (await director.post('mutations/', { device: randomUUID(), mutations: create('CUR-3') })).json(), 'no cursor without one')
})

t.test('the feed notices if a restore loses the mutations, also where the device has read no change of the lost time', async (t) => {
  const { cursor } = (await feed()).json()
  await save(psql)
  const { cursor: next } = (await send('CUR-4', cursor)).json()
  await restore(psql)
  await director.post('contracts/', { folio: 'CUR-5' })
  t.match((await feed(`&cursor=${cursor}`)).json(), { changes: [{ record: { folio: 'CUR-5' } }] })
  const lost = await feed(`&cursor=${next}`)
  t.match([lost.statusCode, lost.json()], [410, { code: 'resync', reason: 'forked' }])
})

t.test('mutations of a device whose records are lost do not run', async (t) => {
  await save(psql)
  await director.post('contracts/', { folio: 'CUR-6' })
  const { cursor } = (await feed()).json()
  await restore(psql)
  const refused = await send('CUR-7', cursor)
  t.match([refused.statusCode, refused.json()], [410, { code: 'resync', reason: 'forked' }])
  t.notOk(await isThere('CUR-7'))
})

t.test("mutations for another company's records do not run, and nothing is remembered of the device", async (t) => {
  const { cursor } = (await feed()).json()
  const [{ id: other }] = (await director.get('me/')).json().companies.filter(({ id }: { id: number }) => id !== 1)
  await director.send('PATCH', 'me/', { company: other })
  const device = randomUUID()
  const refused = await director.post('mutations/', { device, cursor, mutations: create('CUR-8') })
  t.match([refused.statusCode, refused.json()], [409, { code: 'company_changed' }])
  await director.send('PATCH', 'me/', { company: 1 })
  t.notOk(await isThere('CUR-8'))
  t.match((await director.post('mutations/', { device, cursor, mutations: create('CUR-8') })).json(), { results: [{ status: 201, replayed: undefined }] })
})

t.test('text that is no cursor is 400 under its name', async (t) => {
  const refused = await send('CUR-9', 'x')
  t.match([refused.statusCode, refused.json()], [400, { errors: { cursor: [/./] } }])
  t.match((await send('CUR-9', 'x'.repeat(1001))).json(), { errors: { cursor: [/1000/] } })
})
