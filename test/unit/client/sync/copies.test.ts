import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { restore, save } from '../../../system/sync/restore.ts'
import { busy, resync } from '../answers.ts'
import { listen } from '../server.ts'
import { phone, synced } from './phone.ts'

const server = await listen(t)

t.test('after 410 the copy is replaced as a whole, the queue stays, and the app sees records all the time', async (t) => {
  const { store, network } = await synced(t, server)
  const before = await store.contracts.list()
  const { id } = await store.contracts.create({ folio: 'COP-1' })
  const seen: number[] = []
  store.contracts.watch(undefined, records => seen.push(records.length))
  network.answer = ({ url }) => url.includes('/mutations/') || url.includes('cursor=') ? resync('schema') : undefined
  await store.sync()
  t.match([store.status.pending, await store.contracts.get(id)], [1, { folio: 'COP-1', sync: 'pending' }])
  network.answer = undefined
  await store.sync()
  t.strictSame([(await store.contracts.list()).length, await store.contracts.get(1)], [before.length + 1, before[0]])
  t.match([await store.contracts.get(id), store.status], [{ folio: 'COP-1', sync: 'synced' }, { pending: 0, error: undefined }])
  t.ok(Math.min(...seen) >= before.length)
})

t.test('a copy with another number of records than the server is replaced', async (t) => {
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage })
  const before = await store.contracts.list()
  await storage.transaction('write', async ({ list, write }) => {
    const [first] = (await list('store/')).filter(([key]) => key.includes('/contracts/')) as Array<[string, unknown]>
    const [state] = (await list('store/')).filter(([key]) => key.endsWith('/state')) as Array<[string, any]>
    if (first === undefined || state === undefined) throw new Error('the storage has other keys')
    const { copy } = state[1]
    await write([[first[0], undefined], [state[0], { ...state[1], copy: { ...copy, counts: { ...copy.counts, contracts: before.length - 1 } } }]])
  })
  t.equal((await store.contracts.list()).length, before.length - 1)
  await store.sync()
  t.strictSame(await store.contracts.list(), before)
  t.equal(network.sent.filter(({ path }) => path === '/api/v1/changes/').length, 3)
})

t.test('a server that never accepts the copy ends the synchronization with an error', async (t) => {
  const { store, network } = await synced(t, server)
  network.answer = ({ url }) => url.includes('/changes/') ? resync('truncated') : undefined
  await t.rejects(store.sync(), /again and again/)
  t.not((await store.contracts.list()).length, 0)
  network.answer = undefined
  await store.sync()
  t.equal(store.status.error, undefined)
})

t.test('a restored server gets the accepted edits again that no copy has shown', async (t) => {
  const { store, network } = await phone(t, server)
  const { store: other } = await phone(t, server)
  await store.sync()
  const { id: shown } = await store.contracts.create({ folio: 'COP-2' })
  await store.sync()
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'COP-3', parent: shown })
  await store.contracts.update(shown, { monto: '9' })
  network.answer = ({ url }) => url.includes('/changes/') ? busy() : undefined
  await t.rejects(store.sync())
  t.match([store.status.pending, await store.contracts.get(id)], [0, { folio: 'COP-3', sync: 'synced' }])

  await restore(server.psql)
  // The restored server gives the lost ids to other records.
  await other.sync()
  await other.contracts.create({ folio: 'COP-4' })
  await other.sync()
  network.answer = undefined
  await store.sync()
  const { contracts } = store
  t.match(await contracts.get(id), { id, folio: 'COP-3', parent: shown, sync: 'synced' })
  t.match(await contracts.get(shown), { folio: 'COP-2', monto: '9.00', sync: 'synced' })
  t.match(await contracts.list({ folio: 'COP-4' }), [{ id: Number }])
  t.strictSame((await server.psql("select folio from contracts where folio like 'COP-_' order by id")).map(({ folio }) => folio).filter(folio => folio !== 'COP-1'), ['COP-2', 'COP-4', 'COP-3'])
  t.match(store.status, { pending: 0, refused: 0, conflicts: 0 })
})

t.test('after a restore, an id can belong to another record: edits of the lost one do not reach it', async (t) => {
  const { store, network } = await phone(t, server)
  const { store: other } = await synced(t, server)
  await save(server.psql)
  await other.contracts.create({ folio: 'COP-5' })
  await other.sync()
  await store.sync()
  const { id: own } = await store.contracts.create({ folio: 'COP-6' })
  await store.sync()
  const [lost] = await store.contracts.list({ folio: 'COP-5' })
  await store.contracts.update(Number(lost?.id), { monto: '3' })
  network.answer = ({ url }) => url.includes('/changes/') ? busy() : undefined
  await t.rejects(store.sync())

  await restore(server.psql)
  await server.psql(`insert into contracts (id, company_id, folio) values (${lost?.id}, 1, 'COP-7')`)
  network.answer = undefined
  await store.sync()
  t.match(store.refused, [{ status: 404, body: { monto: '3' } }])
  t.match(await store.contracts.update(lost?.id, { descripcion: 'COP-7' }), { folio: 'COP-7', monto: '0.00' })
  await store.sync()
  t.equal(await store.contracts.get(own), undefined, 'nor is it shown under an id of this device')
  t.match(await server.psql("select monto::text from contracts where folio = 'COP-7'"), [{ monto: '0.00' }])
  t.match(await store.contracts.get(Number(lost?.id)), { folio: 'COP-7', monto: '0.00', descripcion: 'COP-7', sync: 'synced' })
  await store.refused[0]?.discard()
  t.strictSame(store.refused, [])
})

t.test('after a restore, an edit does not refer to another record with the id of a lost one', async (t) => {
  const [{ store, network }, { store: other }] = [await phone(t, server), await phone(t, server)]
  await other.sync()
  await save(server.psql)
  await other.contracts.create({ folio: 'COP-8' })
  await other.sync()
  await store.sync()
  const [lost] = await store.contracts.list({ folio: 'COP-8' })
  network.isOnline = false
  const { id } = await store.estimates.create({ contract: lost?.id, monto: '5' })
  await restore(server.psql)
  await server.psql(`insert into contracts (id, company_id, folio) values (${lost?.id}, 1, 'COP-9')`)
  network.isOnline = true
  await store.sync()
  t.match(store.refused, [{ resource: 'estimates', id, status: 404 }])
  await store.estimates.update(id, { monto: '6' })
  await store.sync()
  t.match(store.refused, [{ resource: 'estimates', id, status: 424, body: { monto: '6' } }])
  t.strictSame(await server.psql(`select id from estimates where contract_id = ${lost?.id}`), [])
  const { id: contract } = await store.contracts.create({ folio: 'COP-9-B' })
  await store.estimates.update(id, { contract })
  await store.sync()
  t.match(await store.estimates.get(id), { contract, monto: '6.00', sync: 'synced' })
})

t.test('a restore that comes with another reason loses no accepted edit', async (t) => {
  const { store, network } = await synced(t, server)
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'COP-10' })
  network.answer = ({ url }) => url.includes('/changes/') ? busy() : undefined
  await t.rejects(store.sync())
  await restore(server.psql)
  let isRefused = false
  network.answer = ({ url }) => {
    if (isRefused || !url.includes('/changes/')) return undefined
    isRefused = true
    return resync('schema')
  }
  await store.sync()
  t.match([await server.psql("select folio from contracts where folio = 'COP-10'"), await store.contracts.get(id)], [[{ folio: 'COP-10' }], { sync: 'synced' }])
})
