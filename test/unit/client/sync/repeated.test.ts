import t from 'tap'
import { restore, save } from '../../../system/sync/restore.ts'
import { busy, resync } from '../answers.ts'
import { listen } from '../server.ts'
import { phone, type Phone, synced } from './phone.ts'

const server = await listen(t)

/** Synchronizes. @returns a copy of the request that sent the queue */
async function repetitionOf ({ store, network }: Phone): Promise<Request> {
  let request: Request | undefined
  network.answer = (sent) => {
    if (sent.method === 'POST') request = sent.clone()
    return undefined
  }
  await store.sync()
  network.answer = undefined
  return request as Request
}

t.test('a record keeps its id when the answer to its creation is lost and the feed shows it first', async (t) => {
  const { store, network } = await synced(t, server)
  const { id } = await store.contracts.create({ folio: 'REP-1' })
  network.answer = async request => request.method === 'POST' ? await fetch(request).then(busy) : undefined
  await t.rejects(store.sync())
  t.strictSame((await store.contracts.list({ folio: 'REP-1' })).map(({ id, sync }) => [id, sync]), [[id, 'pending']])
  network.answer = undefined
  await store.sync()
  t.strictSame((await store.contracts.list({ folio: 'REP-1' })).map(({ id, sync }) => [id, sync]), [[id, 'synced']])
})

t.test('a record keeps its id while another copy is received', async (t) => {
  const { store, network } = await synced(t, server)
  const { id } = await store.contracts.create({ folio: 'REP-2' })
  network.answer = ({ method }) => method === 'GET' ? busy() : undefined
  await t.rejects(store.sync())
  const seen: unknown[] = []
  t.teardown(store.contracts.watch({ folio: 'REP-2' }, records => seen.push(...records.map(({ id }) => id))))
  let isRefused = false
  network.answer = ({ method }) => {
    if (isRefused || method !== 'GET') return undefined
    isRefused = true
    return resync('schema')
  }
  await store.sync()
  await store.contracts.list()
  t.strictSame([...new Set(seen)], [id])
  t.match(await store.contracts.list({ folio: 'REP-2' }), [{ id, sync: 'synced' }])
})

for (const time of ['before', 'after']) {
  t.test(`a record keeps its id when a repetition of its creation arrives after a restore, ${time} the new copy`, async (t) => {
    const one = await phone(t, server)
    const { store } = one
    await store.sync()
    await save(server.psql)
    const folio = `REP-3-${time}`
    const { id } = await store.contracts.create({ folio })
    const repetition = await repetitionOf(one)
    await restore(server.psql)
    if (time === 'after') await store.sync()
    t.equal((await fetch(repetition)).status, 200)
    await store.sync()
    t.strictSame((await store.contracts.list({ folio })).map(({ id, sync }) => [id, sync]), [[id, 'synced']])
    await store.contracts.update(id, { descripcion: folio })
    await store.sync()
    t.match(await store.contracts.list({ folio }), [{ id, descripcion: folio, sync: 'synced' }])
  })
}

t.test('an edit that was refused, and that a repetition applied after a restore, is not reported', async (t) => {
  const one = await phone(t, server)
  const { store } = one
  const { store: other } = await phone(t, server)
  await store.sync()
  const { id } = await store.contracts.create({ folio: 'REP-4' })
  await store.sync()
  await other.sync()
  await save(server.psql)
  const [shown] = await other.contracts.list({ folio: 'REP-4' })
  await other.contracts.remove(Number(shown?.id))
  await other.contracts.update(3, { descripcion: 'REP-4 theirs' })
  await other.sync()
  await store.contracts.update(id, { descripcion: 'REP-4' })
  await store.contracts.update(3, { descripcion: 'REP-4 mine' })
  const repetition = await repetitionOf(one)
  t.match([store.refused, store.conflicts], [[{ id, status: 404 }], [{ id: 3 }]])
  await restore(server.psql)
  t.equal((await fetch(repetition)).status, 200)
  await store.sync()
  t.strictSame([store.refused, store.conflicts], [[], []])
  t.match([await store.contracts.get(id), await store.contracts.get(3)], [{ descripcion: 'REP-4', sync: 'synced' }, { descripcion: 'REP-4 mine', sync: 'synced' }])
})

t.test('a record that was removed before a copy showed it leaves no id to another one', async (t) => {
  const { store, network } = await synced(t, server)
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'REP-5' })
  network.answer = ({ method }) => method === 'GET' ? busy() : undefined
  await t.rejects(store.sync())
  network.answer = undefined
  const [{ id: first }] = await server.psql("delete from contracts where folio = 'REP-5' returning id") as [{ id: number }]
  await store.sync()
  await restore(server.psql)
  await server.psql("insert into contracts (id, company_id, folio) values ($1, 1, 'REP-6')", [first])
  await store.sync()
  t.match(await store.contracts.list({ folio: 'REP-6' }), [{ id: first }])
  t.equal(await store.contracts.get(id), undefined)
})
