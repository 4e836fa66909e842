import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { restore, save } from '../../../system/sync/restore.ts'
import { None } from '../../../support/none.ts'
import { busy, resync } from '../answers.ts'
import { list } from './entries.ts'
import { phone, synced } from './phone.ts'
import { foliosOf, pagesOf, selecting } from './selecting.ts'

const { server, obra, contract, rows } = await selecting(t)

t.test('another selection at the next start makes another copy; the app sees the earlier one until it is complete', async (t) => {
  const [one, two] = [await contract('SEL-5-A'), await contract('SEL-5-B')]
  const storage = memoryStorage()
  const all = await synced(t, server, { storage })
  t.strictSame(await foliosOf(all.store, 'SEL-5'), ['SEL-5-A', 'SEL-5-B'])
  all.network.isOnline = false
  await all.store.contracts.update(two, { descripcion: 'offline' })
  await all.store.contracts.update(two, { monto: '-1' })

  const some = await phone(t, server, { storage, contracts: [one], resources: ['conceptos', 'estimates'] })
  await some.obra.GET('/api/v1/me/')
  t.strictSame(await foliosOf(some.store, 'SEL-5'), ['SEL-5-A', 'SEL-5-B'])
  await some.store.sync()
  t.strictSame([await foliosOf(some.store, 'SEL-5'), await some.store.generadores.list()], [['SEL-5-A'], []])
  t.match(await rows(`select descripcion, monto::text from contracts where id = ${two}`), [{ descripcion: '', monto: '1000.00' }])
  t.match(some.store.refused, [{ id: two, body: { descripcion: 'offline', monto: '-1' }, status: 400 }], 'the edit of a record outside is still here')
  t.strictSame((await list(storage, 'store/')).filter(([key]) => key.includes('/record/1/')), [], 'the earlier copy is deleted')
  const before = pagesOf(some.network)
  await some.store.sync()
  t.equal(pagesOf(some.network), before + 1, 'the same selection continues')

  const again = await synced(t, server, { storage })
  t.match(await again.store.contracts.get(two), { descripcion: 'offline', monto: '-1', sync: 'refused' })
  await again.store.contracts.update(two, { monto: '7' })
  await again.store.sync()
  t.match(await again.store.contracts.get(two), { descripcion: 'offline', monto: '7.00', sync: 'synced' })
})

t.test('an edit in conflict with a record that is no longer selected can be resolved', async (t) => {
  const [one, two] = [await contract('SEL-6-A'), await contract('SEL-6-B')]
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage })
  network.isOnline = false
  await store.contracts.update(two, { monto: '7' })
  await obra.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: two } }, body: { monto: '8' } })
  const some = await synced(t, server, { storage, contracts: [one] })
  t.match(some.store.conflicts, [{ id: two, fields: { monto: { base: '1000.00', mine: '7', theirs: '8.00' } } }])
  await some.store.conflicts[0]?.keepMine()
  await some.store.sync()
  t.match([some.store.conflicts, await rows(`select monto::text from contracts where id = ${two}`)], [None, [{ monto: '7.00' }]])
  t.strictSame(await foliosOf(some.store, 'SEL-6'), ['SEL-6-A'])
})

t.test('an edit of a resource that is no longer selected is sent', async (t) => {
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage })
  network.isOnline = false
  await store.contracts.create({ folio: 'SEL-7' })
  const some = await synced(t, server, { storage, resources: ['contrapartes'] })
  t.strictSame([await some.store.contracts.list(), some.store.status.pending], [[], 0])
  t.equal((await rows("select from contracts where folio = 'SEL-7'")).length, 1)
})

t.test('the server can ask for another copy while another selection is received', async (t) => {
  const [one] = [await contract('SEL-9-A'), await contract('SEL-9-B')]
  const storage = memoryStorage()
  await synced(t, server, { storage })
  const { store, network } = await phone(t, server, { storage, contracts: [one] })
  let isRefused = false
  network.answer = async (request) => {
    if (isRefused || !request.url.includes('/changes/')) return undefined
    if (request.url.includes('cursor=')) return undefined
    isRefused = true
    return resync('schema')
  }
  await store.sync()
  t.strictSame([isRefused, await foliosOf(store, 'SEL-9')], [true, ['SEL-9-A']])
})

t.test('a copy of some contracts with another number of counterparties than the server is replaced', async (t) => {
  const one = await contract('SEL-10')
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage, contracts: [one] })
  const before = await store.contrapartes.list()
  await storage.transaction('write', async ({ list, write }) => {
    const [first] = (await list('store/')).filter(([key]) => key.includes('/contrapartes/')) as [[string, unknown]]
    const [[key, state]] = (await list('store/')).filter(([key]) => key.endsWith('/state')) as [[string, any]]
    await write([[first[0], undefined], [key, { ...state, copy: { ...state.copy, counts: { ...state.copy.counts, contrapartes: before.length - 1 } } }]])
  })
  await store.sync()
  t.strictSame([await store.contrapartes.list(), await foliosOf(store, 'SEL-'), pagesOf(network)], [before, ['SEL-10'], 3])
})

t.test('after a restore, edits of records that the copy cannot show are refused, removals too', async (t) => {
  const [one, two, three] = [await contract('SEL-11-A'), await contract('SEL-11-B'), await contract('SEL-11-C')]
  const storage = memoryStorage()
  const all = await synced(t, server, { storage })
  all.network.isOnline = false
  await all.store.contracts.update(two, { monto: '-1' })
  await all.store.contracts.remove(three)
  const { store, network } = await phone(t, server, { storage, contracts: [one], language: 'es' })
  network.answer = async ({ url }) => url.includes('/mutations/') ? busy() : undefined
  await t.rejects(store.sync())
  t.match([await foliosOf(store, 'SEL-11'), store.refused, store.status.pending], [['SEL-11-A'], None, 2], 'they stay while nothing hints at a restore')
  await save(server.psql)
  await obra.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: one } }, body: { descripcion: 'lost' } })
  await t.rejects(store.sync())
  await restore(server.psql)
  network.answer = undefined
  await store.sync()
  t.match(store.refused, [
    { op: 'update', body: { monto: '-1' }, status: 404, detail: /se restauró/ },
    { op: 'delete', status: 404 }])
  t.equal((await rows(`select from contracts where id in (${two}, ${three})`)).length, 2)
  for (const refused of store.refused) await refused.discard()
  t.match([store.status, await store.contracts.get(one)], [{ refused: 0, pending: 0 }, { descripcion: '', sync: 'synced' }])
})
