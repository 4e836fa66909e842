import type { Id, Store } from 'obra/client/sync'
import t from 'tap'
import { busy, failed } from '../answers.ts'
import { listen } from '../server.ts'
import { phone, type Phone, synced } from './phone.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)
const folios = async (like: string) => (await server.psql('select folio from contracts where folio like $1 order by folio', [like])).map(({ folio }) => folio)

/** Answers each request by 500 that has an edit with this text. @param isApplied whether the server gets it nevertheless */
function failWith ({ network }: Phone, text: string, isApplied = false): void {
  network.answer = async (request) => {
    if (request.method !== 'POST' || !(await request.clone().text()).includes(text)) return undefined
    if (isApplied) await fetch(request)
    return failed()
  }
}

t.test('edits with which the server fails do not block the others, which need not their records', async (t) => {
  const one = await phone(t, server)
  const { store, network } = one
  await store.sync()
  const { contracts, estimates } = store
  await contracts.create({ folio: 'FAI-1' })
  const bad = await contracts.create({ folio: 'FAI-2 bad' })
  const estimate = await estimates.create({ contract: bad.id, monto: '1' })
  await contracts.create({ folio: 'FAI-3 bad' })
  for (let index = 4; index < 9; index++) await contracts.create({ folio: `FAI-${index}` })
  failWith(one, ' bad')
  await t.rejects(store.sync(), { message: 'Failed.' })
  t.strictSame(await folios('FAI-%'), ['FAI-1', 'FAI-4', 'FAI-5', 'FAI-6', 'FAI-7', 'FAI-8'])
  t.match(store.status, { pending: 3, refused: 0, error: 'Failed.' })
  network.answer = undefined
  await store.sync()
  t.match(store.status, { pending: 0, refused: 0, error: undefined })
  t.match([await contracts.get(bad.id), await estimates.get(estimate.id)], [{ sync: 'synced' }, { contract: bad.id, sync: 'synced' }])
})

t.test('an edit with which the server fails again and again, while it takes others, is refused with its reason', async (t) => {
  const one = await phone(t, server)
  const { store, network } = one
  await store.sync()
  const { contracts } = store
  const { id } = await contracts.create({ folio: 'FAR bad' })
  failWith(one, ' bad')
  for (let attempt = 0; attempt < 5; attempt++) await t.rejects(store.sync(), { message: 'Failed.' })
  t.match([store.status, store.refused], [{ pending: 1 }, None], 'alone, it blocks no other')
  for (let number = 1; number <= 3; number++) {
    await contracts.create({ folio: `FAR-${number}` })
    await store.sync().catch(() => {})
  }
  t.match(store.refused, [{ id, op: 'create', status: 500, code: 'error', detail: 'Failed.', body: { folio: 'FAR bad' } }])
  t.match(store.status, { pending: 0, error: undefined })
  network.answer = undefined
  await contracts.update(id, { folio: 'FAR-4' })
  await store.sync()
  t.match([await folios('FAR-%'), store.refused], [['FAR-1', 'FAR-2', 'FAR-3', 'FAR-4'], None])
})

t.test('an edit that was applied, although its answers said otherwise, is applied once', async (t) => {
  const one = await phone(t, server)
  const { store, network } = one
  await store.sync()
  const { contracts } = store
  const { id } = await contracts.create({ folio: 'FAA bad' })
  failWith(one, ' bad', true)
  const { answer } = network
  network.answer = async request => request.method === 'GET' ? busy() : await answer?.(request)
  for (let number = 1; number <= 3; number++) {
    await contracts.create({ folio: `FAA-${number}` })
    await store.sync().catch(() => {})
  }
  t.match(store.refused, [{ id, status: 500 }])
  await contracts.update(id, { folio: 'FAA-4' })
  network.answer = undefined
  await store.sync()
  t.match([await folios('FAA-%'), store.refused, store.status.pending], [['FAA-1', 'FAA-2', 'FAA-3', 'FAA-4'], None, 0])
  t.equal((await contracts.list(({ folio }) => folio.startsWith('FAA'))).length, 4)
  t.match(await contracts.get(id), { folio: 'FAA-4', sync: 'synced' })
})

for (const [name, edit, found] of [
  ['a change of state', async ({ contracts, estimates }: Store, id: Id) => {
    await contracts.create({ folio: 'FAS-4' })
    await estimates.update(id, { deductivas: '1' })
    await estimates.update(id, { estado: 'enviada' })
  }, { descripcion: 'good', monto: '7.00', deductivas: '1.00', estado: 'enviada', sync: 'synced' }],
  ['a removal', async ({ estimates }: Store, id: Id) => await estimates.remove(id), undefined]
] as const) {
  t.test(`a creation that was applied, although its answers said otherwise, keeps its place before ${name}`, async (t) => {
    const one = await phone(t, server)
    const { store, network } = one
    await store.sync()
    const { estimates } = store
    const { id } = await estimates.create({ contract: 1, monto: '1', descripcion: 'it-is bad' })
    failWith(one, ' bad', true)
    const { answer } = network
    network.answer = async request => request.method === 'GET' ? busy() : await answer?.(request)
    for (let number = 1; number <= 3; number++) {
      await store.contracts.create({ folio: `FAS-${number}` })
      await store.sync().catch(() => {})
    }
    t.match(store.refused, [{ id, status: 500 }])
    await estimates.update(id, { descripcion: 'good', monto: '7' })
    let edited: Promise<void> | undefined
    network.answer = async ({ method }) => {
      if (method === 'POST') edited ??= edit(store, id)
      await edited
      return undefined
    }
    await store.sync()
    t.match(store.status, { pending: 0, waiting: 0, refused: 0, conflicts: 0 })
    t.match(await estimates.get(id), found)
    await server.psql("delete from contracts where folio like 'FAS-%'")
  })
}

t.test('a server that fails with everything refuses nothing, and gets few requests', async (t) => {
  const { store, network } = await synced(t, server)
  for (let index = 0; index < 50; index++) await store.contracts.create({ folio: `FAN-${index}` })
  network.answer = ({ method }) => method === 'POST' ? failed() : undefined
  for (let attempt = 0; attempt < 4; attempt++) await t.rejects(store.sync())
  t.match(store.status, { pending: 50, refused: 0, error: 'Failed.' })
  t.ok(network.sent.filter(({ path }) => path.includes('/mutations/')).length < 4 * 20)
  network.answer = undefined
  await store.sync()
  t.match([(await folios('FAN-%')).length, store.status], [50, { pending: 0, refused: 0 }])
})
