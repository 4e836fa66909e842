import t from 'tap'
import { unwrap } from 'obra/client'
import { listen } from '../server.ts'
import { phone, synced } from './phone.ts'
import { until } from '../../../support/until.ts'

const server = await listen(t)

t.test('the store has the records of the feed, and lists them by filter', async (t) => {
  const { store, obra } = await phone(t, server)
  t.strictSame([await store.contracts.list(), store.status.lastSync], [[], undefined])
  await store.sync()
  const { contracts, contrapartes, estimates } = store
  const { counts, revision } = await unwrap(obra.GET('/api/v1/changes/', { params: { query: { page_size: 1000 } } }))
  t.strictSame({ contracts: (await contracts.list()).length, contrapartes: (await contrapartes.list()).length, estimates: (await estimates.list()).length }, counts)
  t.match(store.status, { pending: 0, conflicts: 0, refused: 0, revision, lastSync: Number, error: undefined })
  const first = await contracts.get(1)
  t.match(first, { id: 1, folio: 'ON-2026-001', contraparte_id: 1, sync: 'synced' })
  t.equal(await contracts.get(999_999), undefined)
  t.strictSame(await contracts.list({ folio: 'ON-2026-001' }), [first])
  t.strictSame((await contracts.list(({ parent }) => parent === 1)).map(({ parent }) => parent), (await contracts.list({ parent: 1 })).map(() => 1))
  t.not((await contracts.list({ parent: 1 })).length, 0)
})

t.test('without a connection, edits are shown at once and sent later; ids never change', async (t) => {
  const { store, network } = await synced(t, server)
  network.isOnline = false
  const { contracts, estimates, contrapartes } = store
  const party = await contrapartes.create({ nombre: 'Grúas Norte' })
  const main = await contracts.create({ folio: 'REC-1', contraparte: party.id, monto: '1000' })
  const sub = await contracts.create({ folio: 'REC-1-A', parent: main.id })
  const estimate = await estimates.create({ contract: sub.id, monto: '10' })
  await contracts.update(sub.id, { descripcion: 'Zapatas', parent: main.id })
  t.match(main, { folio: 'REC-1', monto: '1000', moneda: 'MXN', estado: 'vigente', contraparte_id: party.id, parent: null, sync: 'pending' })
  t.match(await contracts.get(sub.id), { parent: main.id, descripcion: 'Zapatas', sync: 'pending' })
  t.strictSame((await estimates.list({ contract: sub.id })).map(({ id }) => id), [estimate.id])
  t.equal(store.status.pending, 5, 'the second edit refers to a new record, so it stays one of its own')
  await t.rejects(store.sync(), TypeError)
  t.match(store.status, { pending: 5, error: 'fetch failed' })

  network.isOnline = true
  await store.sync()
  t.match(store.status, { pending: 0, refused: 0, error: undefined })
  t.match(await contracts.get(main.id), { id: main.id, monto: '1000.00', contraparte_id: party.id, version: 1, sync: 'synced' })
  t.match(await contracts.list({ parent: main.id }), [{ id: sub.id, folio: 'REC-1-A', descripcion: 'Zapatas' }])
  t.match(await estimates.get(estimate.id), { contract: sub.id, numero: 1, monto: '10.00', sync: 'synced' })
  const [row] = await server.psql("select id from contracts where folio = 'REC-1'")
  t.match(await contracts.get(row?.['id'] as number), { id: main.id }, 'the id of the server finds the record too')
})

t.test('an amount is shown as the app passed it, until the server has accepted the edit', async (t) => {
  const { store } = await synced(t, server)
  const { id, monto } = await store.contracts.create({ folio: 'REC-900', monto: 900 as unknown as string })
  t.equal(monto, 900)
  await store.sync()
  t.equal((await store.contracts.get(id))?.monto, '900.00')
})

t.test('a removed record is gone at once; a record that was never sent leaves no trace', async (t) => {
  const { store, network } = await synced(t, server)
  const { contracts } = store
  const kept = await contracts.create({ folio: 'REC-3' })
  const unsent = await contracts.create({ folio: 'REC-4' })
  await contracts.update(unsent.id, { monto: '7' })
  await contracts.remove(unsent.id)
  await store.sync()
  t.strictSame(network.sent.flatMap(({ body }) => body?.mutations ?? []).map(({ body }) => body.folio), ['REC-3'])
  await contracts.update(kept.id, { monto: '7' })
  await contracts.remove(kept.id)
  t.equal(await contracts.get(kept.id), undefined)
  await t.rejects(contracts.update(kept.id, { monto: '8' }), { status: 404, code: 'not_found' })
  await t.rejects(contracts.remove(kept.id), { code: 'not_found' })
  await store.sync()
  t.match(network.sent.at(-2), { body: { mutations: [{ op: 'delete', version: 1 }] } })
  t.strictSame([await contracts.list({ folio: 'REC-3' }), store.status.refused], [[], 0])
  t.strictSame(await server.psql("select id from contracts where folio = 'REC-3'"), [])
})

t.test('a watcher sees the list now and after each change, and only then', async (t) => {
  const { store } = await synced(t, server)
  const { contracts } = store
  const lists: string[] = []
  const shown: string[][] = []
  const end = contracts.watch(({ folio }) => folio.startsWith('WATCH'), (records) => {
    lists.push(JSON.stringify(records))
    shown.push(records.map(({ folio, monto, sync }) => `${folio} ${monto} ${sync}`))
  })
  await until(() => shown.length === 1)
  const { id } = await contracts.create({ folio: 'WATCH-1' })
  await until(() => shown.length === 2)
  await store.contrapartes.create({ nombre: 'Otra' })
  await store.sync()
  await until(() => shown.at(-1)?.[0]?.endsWith('synced') === true)
  t.strictSame([shown.slice(0, 2), shown.at(-1)], [[[], ['WATCH-1 0.00 pending']], ['WATCH-1 0.00 synced']])
  t.equal(new Set(lists).size, lists.length, 'each call has another list')
  end()
  const before = shown.length
  await contracts.update(id, { monto: '5' })
  await contracts.list()
  t.equal(shown.length, before)
})
