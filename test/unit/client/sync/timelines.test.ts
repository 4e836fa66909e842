import t from 'tap'
import { restore, save } from '../../../system/sync/restore.ts'
import { busy } from '../answers.ts'
import { listen } from '../server.ts'
import { phone, type Phone, synced } from './phone.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)

/** Gives an id that a restore has freed to another record. */
async function reuse (id: number, folio: string): Promise<void> {
  await server.psql('insert into contracts (id, company_id, folio) values ($1, 1, $2)', [id, folio])
}

async function idOf (folio: string): Promise<number> {
  return (await server.psql('select id from contracts where folio = $1', [folio]))[0]?.['id']
}

/** Sends the queue. The records of the answer are not shown. */
async function sendOnly ({ store, network }: Phone): Promise<void> {
  network.answer = ({ method, url }) => method === 'GET' && url.includes('/changes/') ? busy() : undefined
  await store.sync().catch(() => {})
  network.answer = undefined
}

t.test('an edit of a new record reaches the record that a restored server creates again, not the next one with its first id', async (t) => {
  const one = await phone(t, server)
  const { store, network } = one
  await store.sync()
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'TIM-1' })
  await sendOnly(one)
  const first = await idOf('TIM-1')
  await store.contracts.update(id, { descripcion: 'TIM-1' })
  network.losesAnswers = true
  await t.rejects(store.sync())
  network.losesAnswers = false
  await restore(server.psql)
  await reuse(first, 'TIM-2')
  await store.sync()
  t.match([await store.contracts.get(id), await store.contracts.get(first)], [{ folio: 'TIM-1', descripcion: 'TIM-1', sync: 'synced' }, { folio: 'TIM-2', descripcion: '' }])
  t.match(store.status, { pending: 0, refused: 0 })
})

t.test('an edit of a lost record is refused, even if it was sent before the restore', async (t) => {
  const { store, network } = await synced(t, server)
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'TIM-3' })
  await store.sync()
  const first = await idOf('TIM-3')
  await store.contracts.update(id, { descripcion: 'TIM-3' })
  network.losesAnswers = true
  await t.rejects(store.sync())
  network.losesAnswers = false
  await restore(server.psql)
  await reuse(first, 'TIM-4')
  await store.sync()
  t.match(store.refused, [{ id, status: 404, body: { descripcion: 'TIM-3' } }])
  t.match(await store.contracts.get(first), { folio: 'TIM-4', descripcion: '' })
})

t.test('an edit queued before its record was shown does not reach another record after a restore', async (t) => {
  const one = await phone(t, server)
  const { store, network } = one
  await store.sync()
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'TIM-7' })
  await sendOnly(one)
  const first = await idOf('TIM-7')
  let created: Promise<unknown> | undefined
  network.answer = async ({ method }) => {
    // The answer to this request shows the contract.
    if (method === 'GET') await (created ??= store.estimates.create({ contract: id, monto: '1' }))
    if (method === 'POST') network.losesAnswers = true
    return undefined
  }
  await t.rejects(store.sync())
  network.answer = undefined
  network.losesAnswers = false
  await restore(server.psql)
  await reuse(first, 'TIM-8')
  await store.sync()
  t.strictSame(await server.psql('select id from estimates where contract_id = $1', [first]), [])
  t.match(store.refused, [{ resource: 'estimates', status: 404 }])
})

t.test('an accepted edit of a record that a restored server has, and another device has removed, is reported', async (t) => {
  const one = await phone(t, server)
  const { store } = one
  await store.sync()
  const { id } = await store.contracts.create({ folio: 'TIM-9' })
  await store.sync()
  await store.contracts.update(id, { descripcion: 'TIM-9' })
  await sendOnly(one)
  await save(server.psql)
  await store.contracts.update(3, { descripcion: 'TIM-9' })
  await sendOnly(one)
  await restore(server.psql)
  await server.psql("delete from contracts where folio = 'TIM-9'")
  await store.sync()
  t.match(store.refused, [{ status: 404, body: { descripcion: 'TIM-9' } }])
  t.match(await store.contracts.get(3), { descripcion: 'TIM-9', sync: 'synced' })
})

t.test('edits wait until the copy of a restored server is complete', async (t) => {
  await server.psql("insert into contrapartes (company_id, nombre) select 1, 'Parte ' || n from generate_series(1, 600) n")
  const { store, network } = await synced(t, server)
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'TIM-5' })
  await store.sync()
  const first = await idOf('TIM-5')
  await store.contracts.update(id, { descripcion: 'TIM-5' })
  await restore(server.psql)
  await reuse(first, 'TIM-6')
  let pages = 0
  network.answer = ({ method }) => method === 'GET' && (pages += 1) > 1 ? busy() : undefined
  await t.rejects(store.sync())
  t.ok(pages > 1, 'only the first page has arrived')
  network.answer = undefined
  await store.sync()
  t.match(await store.contracts.get(first), { folio: 'TIM-6', descripcion: '' })
  t.match(store.refused, [{ id, body: { descripcion: 'TIM-5' } }])
})

t.test("a conflict shows the restored server's value", async (t) => {
  const { store } = await phone(t, server)
  const { store: other } = await phone(t, server)
  await Promise.all([store.sync(), other.sync()])
  const before = await store.contracts.get(3)
  await save(server.psql)
  await store.contracts.update(3, { monto: '1' })
  await other.contracts.update(3, { monto: '2' })
  await other.sync()
  await store.sync()
  t.match(store.conflicts[0]?.fields['monto'], { base: before?.monto, mine: '1', theirs: '2.00' })
  await restore(server.psql)
  await store.sync()
  t.match(store.conflicts[0]?.fields['monto'], { base: before?.monto, mine: '1', theirs: before?.monto })
})

t.test('edits of a record that a restored server creates again follow its creation', async (t) => {
  const one = await phone(t, server)
  const { store, network } = one
  await store.sync()
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'TIM-10' })
  await sendOnly(one)
  await server.psql("insert into contracts (company_id, folio) values (1, 'TIM-11')")
  let pages = 0
  network.answer = ({ url, method, headers }) => method !== 'GET' ? undefined : (pages += 1) > 1 ? busy() : fetch(`${url}&page_size=1`, { headers })
  await t.rejects(store.sync())
  network.answer = undefined
  t.match(await store.contracts.get(id), { version: 1, sync: 'synced' }, 'the first page has shown it')
  await store.contracts.update(id, { descripcion: 'TIM-10' })
  const estimate = await store.estimates.create({ contract: id, monto: '1' })
  await store.estimates.update(estimate.id, { contract: id, descripcion: 'TIM-10' })
  await restore(server.psql)
  await store.sync()
  t.match([store.refused, store.status.pending], [None, 0])
  t.match([await store.contracts.get(id), await store.estimates.get(estimate.id)], [{ descripcion: 'TIM-10', sync: 'synced' }, { contract: id, descripcion: 'TIM-10', sync: 'synced' }])
})

t.test("the conflict of a record that a restored server creates again shows that record's value", async (t) => {
  const one = await phone(t, server)
  const { store } = one
  await store.sync()
  await save(server.psql)
  const { id } = await store.contracts.create({ folio: 'TIM-12' })
  await sendOnly(one)
  const first = await idOf('TIM-12')
  await server.psql("update contracts set monto = 2 where folio = 'TIM-12'")
  await store.contracts.update(id, { monto: '1' })
  await sendOnly(one)
  t.match(store.conflicts, [{ id, fields: { monto: { mine: '1', theirs: '2.00' } } }])
  await restore(server.psql)
  await reuse(first, 'TIM-13')
  await server.psql("update contracts set monto = 3 where folio = 'TIM-13'")
  await store.sync()
  t.not(await idOf('TIM-12'), first)
  t.match(store.conflicts, [{ id, fields: { monto: { mine: '1', theirs: '0.00' } } }])
  await store.conflicts[0]?.keepMine()
  await store.sync()
  t.match([store.conflicts, await store.contracts.get(id)], [None, { monto: '1.00', sync: 'synced' }])
})
