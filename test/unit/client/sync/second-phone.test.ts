import t from 'tap'
import type { Test } from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { listen } from '../server.ts'
import { list, write } from './entries.ts'
import { phone, type Phone } from './phone.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)
const folios = async (like: string) => (await server.psql('select folio from contracts where folio like $1 order by folio', [like])).map(({ folio }) => folio)

/** Two phones with the same storage: a backup of the first one was restored on the second. @param edit what the first one does before the backup */
async function copied (t: Test, edit: (first: Phone) => Promise<void>): Promise<[first: Phone, second: Phone]> {
  const storage = memoryStorage()
  const first = await phone(t, server, { storage })
  await first.store.sync()
  await first.store.contracts.create({ folio: `${t.name.slice(0, 3)}-0` }).then(async ({ id }) => await first.store.contracts.remove(id))
  await edit(first)
  const copy = memoryStorage()
  await write(copy, ...structuredClone(await list(storage)))
  const second = await phone(t, server, { storage: copy })
  await second.obra.GET('/api/v1/me/')
  return [first, second]
}

const deviceOf = ({ network }: Phone) => network.sent.findLast(({ path }) => path.includes('/mutations/'))?.body.device as string

t.test('SE1: edits of both phones are applied once, under different devices', async (t) => {
  const [first, second] = await copied(t, async () => {})
  const ids = []
  for (const [phone, name] of [[first, 'A'], [second, 'B']] as const) {
    const contract = await phone.store.contracts.create({ folio: `SE1-${name}`, monto: '100' })
    const estimate = await phone.store.estimates.create({ contract: contract.id, monto: '10' })
    await phone.store.estimates.update(estimate.id, { estado: 'enviada' })
    ids.push({ contract: contract.id, estimate: estimate.id })
  }
  await first.store.sync()
  await second.store.sync()
  t.strictSame(await folios('SE1-%'), ['SE1-A', 'SE1-B'])
  t.match([second.store.refused, second.store.conflicts, second.store.status], [None, None, { pending: 0, waiting: 0 }])
  t.match([await second.store.contracts.get(ids[1]?.contract), await second.store.estimates.get(ids[1]?.estimate)], [{ folio: 'SE1-B', sync: 'synced' }, { estado: 'enviada', contract: ids[1]?.contract, sync: 'synced' }])
  t.not(deviceOf(first), deviceOf(second))
  await first.store.contracts.update(ids[0]?.contract, { monto: '5' })
  await first.store.sync()
  t.match([first.store.refused, await first.store.contracts.get(ids[0]?.contract)], [None, { monto: '5.00', sync: 'synced' }])
})

t.test('SE2: an edit that was queued before the backup is applied once, even if the other phone has acknowledged it', async (t) => {
  const [first, second] = await copied(t, async ({ store }) => {
    const { id } = await store.contracts.create({ folio: 'SE2-A', monto: '1' })
    await store.estimates.create({ contract: id, monto: '10', external_id: 'SE2' })
    await store.contracts.update(2, { descripcion: 'SE2' })
  })
  await first.store.sync()
  await first.store.contracts.create({ folio: 'SE2-B' })
  await first.store.sync()
  await first.store.contracts.create({ folio: 'SE2-C' })
  await first.store.sync()
  await second.store.contracts.create({ folio: 'SE2-D' })
  await second.store.sync()
  t.strictSame(await folios('SE2-%'), ['SE2-A', 'SE2-B', 'SE2-C', 'SE2-D'])
  t.match(await server.psql("select count(*)::int as n from estimates where external_id = 'SE2'"), [{ n: 1 }])
  t.match([second.store.refused, second.store.conflicts, second.store.status], [None, None, { pending: 0 }])
  t.strictSame((await second.store.contracts.list(({ folio }) => folio.startsWith('SE2'))).map(({ sync }) => sync), Array(4).fill('synced'))
})

t.test('SE3: an edit after the backup of a creation that the other phone has sent is not lost, and overwrites nothing unseen', async (t) => {
  const [first, second] = await copied(t, async ({ store }) => { await store.contracts.create({ folio: 'SE3-A', monto: '1', descripcion: 'antes' }) })
  const id = (await second.store.contracts.list({ folio: 'SE3-A' }))[0]?.id as string
  await second.store.contracts.update(id, { monto: '2' })
  await first.store.sync()
  await first.store.contracts.update(id, { descripcion: 'después' })
  await first.store.sync()
  await second.store.sync()
  t.strictSame(await folios('SE3-%'), ['SE3-A'])
  t.match(second.store.conflicts, [{ id, fields: { monto: { mine: '2', theirs: '1.00' }, descripcion: { mine: 'antes', theirs: 'después' } } }])
  await second.store.conflicts[0]?.set({ monto: '2', descripcion: 'después' })
  await second.store.sync()
  t.match([await second.store.contracts.get(id), second.store.refused], [{ monto: '2.00', descripcion: 'después', sync: 'synced' }, None])
})
