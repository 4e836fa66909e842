import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { busy, failed } from '../answers.ts'
import { listen } from '../server.ts'
import { phone, synced } from './phone.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)
const count = async (folio: string) => (await server.psql(`select id from contracts where folio like '${folio}'`)).length

t.test('an edit whose answer is lost is applied once', async (t) => {
  const { store, network } = await synced(t, server)
  await store.contracts.create({ folio: 'QUE-1' })
  network.losesAnswers = true
  await t.rejects(store.sync())
  t.match([await count('QUE-1'), store.status], [1, { pending: 1, error: 'fetch failed' }])
  network.losesAnswers = false
  await store.sync()
  t.match([await count('QUE-1'), store.status, await store.contracts.list({ folio: 'QUE-1' })], [1, { pending: 0, refused: 0 }, [{ sync: 'synced' }]])
})

t.test('edits survive the end of the app, in any state', async (t) => {
  const storage = memoryStorage()
  const first = await phone(t, server, { storage })
  await first.store.sync()
  const { id } = await first.store.contracts.create({ folio: 'QUE-2' })
  first.network.losesAnswers = true
  await t.rejects(first.store.sync())
  await first.store.contracts.update(id, { monto: '7' })
  const second = await phone(t, server, { storage })
  await second.obra.GET('/api/v1/me/')
  t.match([second.store.status.pending, await second.store.contracts.get(id)], [2, { folio: 'QUE-2', monto: '7', sync: 'pending' }])
  await second.store.sync()
  t.match([await count('QUE-2'), await second.store.contracts.get(id)], [1, { monto: '7.00', sync: 'synced' }])
})

t.test('more edits than a request may have are sent in several', async (t) => {
  const { store, network } = await synced(t, server)
  for (let index = 0; index < 230; index++) await store.contracts.create({ folio: `QUE-3-${index}` })
  await store.sync()
  t.strictSame(network.sent.flatMap(({ body }) => body?.mutations?.length ?? []), [200, 30])
  t.strictSame([await count('QUE-3-%'), store.status.pending], [230, 0])
  await store.contracts.create({ folio: 'QUE-4' })
  await store.sync()
  t.equal(network.sent.findLast(({ body }) => body?.mutations !== undefined)?.body.acknowledged, 230, 'shown edits are acknowledged')
})

t.test('large edits are sent in requests that the server accepts', async (t) => {
  const { store, network } = await synced(t, server)
  const descripcion = 'á'.repeat(2000)
  for (let index = 0; index < 3; index++) await store.contracts.create({ folio: `QUE-5-${index}`, descripcion, external_id: `${index}` })
  await store.contracts.create({ folio: 'QUE-5-x', descripcion: 'x'.repeat(5_000_000) })
  await store.contracts.create({ folio: 'QUE-5-3', descripcion })
  await store.sync()
  t.equal(await count('QUE-5-_'), 4)
  t.match(store.refused, [{ status: 413, body: { folio: 'QUE-5-x' } }])
  t.ok(network.sent.length < 12)
})

t.test('an edit that spoils a whole request is found and refused, the others are applied', async (t) => {
  const { store } = await synced(t, server)
  for (let index = 0; index < 9; index++) await store.contracts.create({ folio: `QUE-6-${index}` })
  let deep: object = {}
  for (let level = 0; level < 100; level++) deep = { deep }
  await store.contracts.create({ folio: 'QUE-6-x', monto: deep as unknown as string })
  await store.contracts.create({ folio: 'QUE-6-9' })
  await store.sync()
  t.equal(await count('QUE-6-_'), 10)
  t.match([store.refused, store.status.pending], [[{ status: 400, body: { folio: 'QUE-6-x' } }], 0])
})

t.test('a fault of the server refuses nothing', async (t) => {
  const { store, network } = await synced(t, server)
  await store.contracts.create({ folio: 'QUE-7' })
  network.answer = request => request.method === 'POST' ? busy() : undefined
  await t.rejects(store.sync(), { code: 'unavailable' })
  t.match(store.status, { pending: 1, refused: 0, error: 'Busy.' })
  network.answer = undefined
  await store.sync()
  t.equal(await count('QUE-7'), 1)
})

t.test('requests that take too long, or in which the server fails, get smaller', async (t) => {
  const { store, network } = await synced(t, server)
  for (let index = 0; index < 20; index++) await store.contracts.create({ folio: `QUE-9-${index}` })
  let isSlow = true
  const sizes: number[] = []
  network.answer = ({ method }) => {
    if (method !== 'POST') return undefined
    const size = network.sent.at(-1)?.body.mutations.length as number
    sizes.push(size)
    if (size <= 5) return undefined
    isSlow = !isSlow
    return isSlow ? failed() : Promise.reject(new DOMException('Too long.', 'TimeoutError'))
  }
  await store.sync()
  t.strictSame([await count('QUE-9-%'), sizes.slice(0, 4), Math.max(...sizes.slice(3))], [20, [20, 10, 5, 5], 5])
  t.match(store.status, { pending: 0, refused: 0, error: undefined })
})

t.test('a request of one edit that fails is an error', async (t) => {
  const { store, network } = await synced(t, server)
  await store.contracts.create({ folio: 'QUE-10' })
  network.answer = ({ method }) => method === 'POST' ? Promise.reject(new DOMException('Too long.', 'TimeoutError')) : undefined
  await t.rejects(store.sync(), { name: 'TimeoutError' })
  t.match(store.status, { pending: 1, error: 'Too long.' })
  t.equal(network.sent.at(-1)?.method, 'GET', 'changes are received nevertheless')
})

t.test('after a spoilt edit, the others are sent in few requests', async (t) => {
  const { store, network } = await synced(t, server)
  for (let index = 0; index < 100; index++) await store.contracts.create({ folio: `QUE-8-${index}`, ...index === 40 && { descripcion: 'x'.repeat(5_000_000) } })
  await store.sync()
  t.strictSame([await count('QUE-8-%'), store.status.refused], [99, 1])
  t.ok(network.sent.filter(({ path }) => path.includes('/mutations/')).length < 20)
})

t.test('the correction of an edit whose answer is lost is sent after the answer', async (t) => {
  const { store, network } = await synced(t, server)
  const { contracts } = store
  await contracts.update(5, { monto: '-1' })
  network.losesAnswers = true
  await t.rejects(store.sync())
  network.losesAnswers = false
  await contracts.update(5, { monto: '7000001' })
  const { id } = await contracts.create({ folio: 'ON-2026-005' })
  network.losesAnswers = true
  await t.rejects(store.sync())
  network.losesAnswers = false
  await contracts.update(id, { folio: 'QUE-9' })
  await store.sync()
  t.match([store.refused, store.conflicts, store.status.pending], [None, None, 0])
  t.match([await contracts.get(5), await contracts.get(id)], [{ monto: '7000001.00', sync: 'synced' }, { folio: 'QUE-9', sync: 'synced' }])
})

t.test('a device whose storage was set back does not lose new edits', async (t) => {
  const storage = memoryStorage()
  const { store, obra } = await synced(t, server, { storage })
  const saved = await storage.transaction('read', async ({ list }) => await list(''))
  for (const folio of ['QUE-10', 'QUE-11']) {
    await store.contracts.create({ folio })
    await store.sync()
  }
  const tokens = (await obra.POST('/api/v1/api-token-auth/', { body: { email: 'director@demo.example', password: 'demo-obra-1' } })).data
  const older = memoryStorage()
  await older.transaction('write', async ({ write }) => await write(saved))
  const { store: again } = await phone(t, server, { storage: older, tokens })
  await again.contracts.create({ folio: 'QUE-12' })
  await again.sync()
  t.match([again.refused, again.status.pending, await again.contracts.list({ folio: 'QUE-12' }), await count('QUE-1_')], [None, 0, [{ sync: 'synced' }], 3])
})

t.test('devices receive changes also while the server cannot take their edits', async (t) => {
  const { store, network } = await synced(t, server)
  await store.contracts.create({ folio: 'QUE-13' })
  await server.psql("insert into contracts (company_id, folio) values (1, 'QUE-14')")
  network.answer = ({ url }) => url.includes('/mutations/') ? failed() : undefined
  await t.rejects(store.sync(), { message: 'Failed.' })
  t.match([await store.contracts.list({ folio: 'QUE-14' }), store.status], [[{ sync: 'synced' }], { pending: 1, error: 'Failed.' }])
})
