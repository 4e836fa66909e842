import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { listen } from '../server.ts'
import { phone, synced } from './phone.ts'
import { until } from '../../../support/until.ts'

const server = await listen(t)
const streams = (sent: Array<{ path: string }>) => sent.filter(({ path }) => path.endsWith('/events/')).length

t.test('a started store sends edits and receives changes by itself', async (t) => {
  const [one, two] = [await phone(t, server), await phone(t, server, { email: 'coordinador@demo.example' })]
  one.store.start()
  one.store.start()
  two.store.start()
  await until(() => [one, two].every(({ store }) => store.status.lastSync !== undefined))
  await one.store.contracts.create({ folio: 'LIV-1' })
  await until(async () => (await two.store.contracts.list({ folio: 'LIV-1' })).length === 1)
  await server.psql("update contracts set monto = 5 where folio = 'LIV-1'")
  await until(async () => (await two.store.contracts.list({ folio: 'LIV-1' }))[0]?.monto === '5.00')
  t.equal(streams(one.network.sent), 1)

  await one.store.stop()
  await two.store.contracts.create({ folio: 'LIV-2' })
  await until(() => two.store.status.pending === 0)
  t.strictSame(await one.store.contracts.list({ folio: 'LIV-2' }), [])
  one.store.start()
  await until(async () => (await one.store.contracts.list({ folio: 'LIV-2' })).length === 1)
})

t.test('without a connection it tries again', async (t) => {
  const { store, network } = await synced(t, server)
  network.isOnline = false
  await store.contracts.create({ folio: 'LIV-3' })
  store.start()
  await until(() => store.status.error === 'fetch failed')
  t.equal(store.status.pending, 1)
  network.isOnline = true
  await until(() => store.status.pending === 0 && store.status.error === undefined)
  await until(() => streams(network.sent) > 0)
})

t.test('of several tabs one synchronizes, and all show the result; another one takes over', async (t) => {
  const storage = memoryStorage()
  const tabs = [await phone(t, server, { storage }), await phone(t, server, { storage })] as const
  for (const { obra, store } of tabs) {
    await obra.GET('/api/v1/me/')
    store.start()
  }
  await until(() => tabs.every(({ store }) => store.status.lastSync !== undefined))
  const { id } = await tabs[1].store.contracts.create({ folio: 'LIV-4' })
  await until(() => tabs.every(({ store }) => store.status.pending === 0))
  await until(async () => (await tabs[0].store.contracts.get(id))?.version === 1)
  const pushed = () => tabs.map(({ network }) => network.sent.filter(({ path }) => path.includes('/mutations/')).length)
  t.strictSame(pushed(), [1, 0])

  await tabs[0].store.stop()
  await tabs[1].store.contracts.create({ folio: 'LIV-5' })
  await until(() => pushed()[1] === 1 && tabs.every(({ store }) => store.status.pending === 0))
  t.equal((await tabs[0].store.contracts.list({ folio: 'LIV-5' })).length, 1)
})

t.test('two stores that synchronize at once send each edit once', async (t) => {
  const storage = memoryStorage()
  const [{ store: one, network }, { store: two, obra }] = [await phone(t, server, { storage }), await phone(t, server, { storage })]
  await obra.GET('/api/v1/me/')
  await one.sync()
  for (let index = 0; index < 5; index++) await two.contracts.create({ folio: `LIV-6-${index}` })
  await Promise.all([one.sync(), two.sync(), one.sync()])
  t.match([one.status.pending, await server.psql("select count(*)::int as n from contracts where folio like 'LIV-6-%'")], [0, [{ n: 5 }]])
  t.equal(network.sent.filter(({ path }) => path.includes('/mutations/')).length, 1)
})

t.test('the wait for another tab ends with the signal', async (t) => {
  const storage = memoryStorage()
  const { store } = await phone(t, server, { storage })
  let release = () => {}
  const held = storage.lock('sync', async () => await new Promise<void>((resolve) => { release = resolve }))
  const controller = new AbortController()
  const waiting = store.sync({ signal: controller.signal })
  controller.abort(new Error('the user left'))
  await t.rejects(waiting, { message: 'the user left' })
  release()
  await held
  await store.sync()
  t.equal(store.status.error, undefined)
})
