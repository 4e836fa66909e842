import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import type { Storage } from 'obra/client/sync'
import { maxEdits } from '../../../../src/client/sync/edits.ts'
import { failed, refused } from '../answers.ts'
import { listen } from '../server.ts'
import { list, write } from './entries.ts'
import { phone, type Phone, synced } from './phone.ts'

const server = await listen(t)
const count = async (folio: string) => (await server.psql('select from contracts where folio like $1', [folio])).length
const bodyOf = async (request: Request) => await request.clone().json() as { acknowledged: number, mutations: unknown[] }
const sizes = ({ network }: Phone) => network.sent.flatMap(({ body }) => body?.mutations === undefined ? [] : [body.mutations.length as number])

/** Queues creations of contracts as the store does, in one transaction. @param folioOf folio of the creation with this index */
async function queueCreations (storage: Storage, number: number, folioOf: (index: number) => string): Promise<void> {
  const [[key, state]] = (await list(storage, 'store/')).filter(([key]) => key.endsWith('/state')) as [[string, { last: number }]]
  const edits = Array.from({ length: number }, (_, index): [string, unknown] => {
    const edit = { number: state.last + index + 1, op: 'create', resource: 'contracts', record: crypto.randomUUID(), body: { folio: folioOf(index) }, createdAt: {}, status: 'queued' }
    return [key.replace('state', `edit/${String(edit.number).padStart(16, '0')}`), edit]
  })
  await write(storage, [key, { ...state, last: state.last + number }], ...edits)
}

t.test('more edits than the server keeps results of are sent in one synchronization', async (t) => {
  const storage = memoryStorage()
  const { store } = await synced(t, server, { storage })
  await queueCreations(storage, 3500, index => `WIN-1-${index}`)
  await store.sync()
  t.match([await count('WIN-1-%'), store.status], [3500, { pending: 0, refused: 0, error: undefined }])
})

t.test('an edit with which the server fails does not block a queue of any length', async (t) => {
  const storage = memoryStorage()
  const one = await phone(t, server, { storage })
  const { store, network } = one
  await store.sync()
  await queueCreations(storage, 1300, index => index === 0 ? 'WIN-2-bad' : `WIN-2-${index}`)
  network.answer = async request => request.method === 'POST' && (await request.clone().text()).includes('WIN-2-bad') ? failed() : undefined
  for (let attempt = 0; attempt < 4; attempt++) await store.sync().catch(() => {})
  t.match([await count('WIN-2-%'), store.status], [1299, { pending: 0, refused: 1 }])
  t.match(store.refused, [{ body: { folio: 'WIN-2-bad' }, status: 500 }])
})

t.test('an edit that breaks the connection does not block a queue of any length', async (t) => {
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage })
  await queueCreations(storage, 1300, index => index === 0 ? 'WIN-7-bad' : `WIN-7-${index}`)
  network.answer = async (request) => {
    if (request.method === 'POST' && (await request.clone().text()).includes('WIN-7-bad')) throw new TypeError('fetch failed')
    return undefined
  }
  for (let attempt = 0; attempt < 4; attempt++) await store.sync().catch(() => {})
  t.match([await count('WIN-7-%'), store.status], [1299, { pending: 0, refused: 0, blocked: 1 }])
})

t.test('a device without room for all results of a request sends fewer edits', async (t) => {
  const storage = memoryStorage()
  const one = await phone(t, server, { storage })
  const { store, network } = one
  await store.sync()
  await queueCreations(storage, 200, index => `WIN-3-${index}`)
  network.answer = async (request) => {
    if (request.method !== 'POST') return undefined
    return (await bodyOf(request)).mutations.length > 100 ? full() : undefined
  }
  await store.sync()
  t.match([await count('WIN-3-%'), store.status, sizes(one)], [200, { pending: 0, error: undefined }, [200, 100, 100]])
})

t.test('a synchronization that is refused because of earlier results receives changes, and then sends the rest', async (t) => {
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage })
  await queueCreations(storage, 300, index => `WIN-4-${index}`)
  let taken = 0
  network.answer = async (request) => {
    if (request.method !== 'POST') return undefined
    const { acknowledged } = await bodyOf(request)
    if (taken === 0) return await fetch(request).finally(() => { taken = acknowledged + 200 })
    return acknowledged < taken ? full() : undefined
  }
  await store.sync()
  t.match([await count('WIN-4-%'), store.status], [300, { pending: 0, refused: 0, error: undefined }])
})

t.test('an edit for whose result the server never has room is given up at last', async (t) => {
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage })
  await queueCreations(storage, 3, index => `WIN-5-${index}`)
  network.answer = async request => request.method === 'POST' && (await bodyOf(request)).acknowledged === 0 ? full() : undefined
  for (let attempt = 0; attempt < 3; attempt++) await store.sync().catch(() => {})
  t.match([await count('WIN-5-%'), store.refused, store.status.pending], [2, [{ body: { folio: 'WIN-5-0' }, code: 'too_many_results' }], 0])
})

/** The answer of a server that stores no further results of the device. */
function full (): Response {
  return refused(409, 'too_many_results')
}

t.test('a queue takes a limited number of edits; removals and corrections that add none go on', async (t) => {
  const storage = memoryStorage()
  const { store } = await synced(t, server, { storage })
  await queueCreations(storage, maxEdits - 1, index => `WIN-6-${index}`)
  const { id } = await store.contracts.create({ folio: 'WIN-6-last' })
  await t.rejects(store.contracts.create({ folio: 'WIN-6-more' }), { status: 409, code: 'queue_full', message: /50,000 edits/ })
  await t.rejects(store.contracts.update(1, { descripcion: 'x' }), { code: 'queue_full' })
  t.strictSame([store.status.pending, await store.contracts.list({ folio: 'WIN-6-more' })], [maxEdits, []])
  await store.contracts.update(id, { monto: '1' })
  await store.contracts.remove(id)
  await store.contracts.create({ folio: 'WIN-6-more' })
  t.equal(store.status.pending, maxEdits)
  await store.clear({ force: true })
})
