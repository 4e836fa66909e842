import t from 'tap'
import { listen } from '../server.ts'
import { phone, synced } from './phone.ts'
import { until } from '../../../support/until.ts'

const server = await listen(t)

t.test('a late answer does not bring an earlier company back', async (t) => {
  const { store, obra, network } = await synced(t, server)
  const { data: me } = await obra.GET('/api/v1/me/')
  const other = me?.companies.find(({ id }) => id !== me.company)?.id as number
  const { promise, resolve } = Promise.withResolvers<Response>()
  network.answer = ({ method }) => method === 'GET' ? promise : undefined
  const late = obra.GET('/api/v1/me/')
  await until(() => network.sent.at(-1)?.path === '/api/v1/me/')
  await obra.PATCH('/api/v1/me/', { body: { company: other } })
  resolve(Response.json(me))
  await late
  network.answer = undefined
  await store.sync()
  t.ok((await store.contracts.list()).every(({ company }) => company === other))
  await obra.PATCH('/api/v1/me/', { body: { company: me?.company } })
})

t.test('another active company has other records; edits reach the company for which they were made', async (t) => {
  const { store, obra } = await phone(t, server)
  const { obra: elsewhere } = await phone(t, server)
  await store.sync()
  const { data: me } = await obra.GET('/api/v1/me/')
  const other = me?.companies.find(({ id }) => id !== me.company)?.id as number
  const { id } = await store.contracts.create({ folio: 'USE-5' })

  // On another device, so this one has yet to notice.
  await elsewhere.PATCH('/api/v1/me/', { body: { company: other } })
  await store.sync()
  t.strictSame([await store.contracts.list({ folio: 'USE-5' }), store.status.pending], [[], 0])
  t.ok((await store.contracts.list()).every(({ company }) => company === other))
  t.strictSame(await server.psql("select company_id from contracts where folio = 'USE-5'"), [])

  await obra.PATCH('/api/v1/me/', { body: { company: me?.company ?? null } })
  t.match(await store.contracts.get(id), { folio: 'USE-5', sync: 'pending' }, 'noticed at once when the app itself switches')
  await store.sync()
  t.strictSame(await server.psql("select company_id from contracts where folio = 'USE-5'"), [{ company_id: 1 }])
})

t.test('a user without an active company has no records', async (t) => {
  const { store, obra } = await synced(t, server)
  await obra.PATCH('/api/v1/me/', { body: { company: null } })
  t.strictSame(await store.contracts.list(), [])
  await t.rejects(store.sync(), { code: 'no_company' })
  t.equal(store.status.error, 'The user has no active company.')
  await obra.PATCH('/api/v1/me/', { body: { company: 1 } })
  await store.sync()
  t.not((await store.contracts.list()).length, 0)
  t.equal(store.status.error, undefined)
})

t.test('a page of another company is refused, also without records', async (t) => {
  const { store, obra, network } = await phone(t, server)
  await obra.GET('/api/v1/me/')
  await store.contracts.create({ folio: 'USE-7' })
  network.answer = ({ url }) => url.includes('/changes/') ? Response.json({ changes: [], company: 2, cursor: 'x', has_more: false, revision: 1, counts: {} }) : undefined
  await t.rejects(store.sync(), { name: 'Error' })
  t.strictSame(network.sent.filter(({ path }) => path.includes('/mutations/')), [])
  network.answer = undefined
  await store.sync()
  t.match(await store.contracts.list({ folio: 'USE-7' }), [{ company: 1, sync: 'synced' }])
})
