import t from 'tap'
import { listen } from '../server.ts'
import { synced } from './phone.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)

t.test('a refused edit stays visible with its reason until the app edits the record', async (t) => {
  const { store } = await synced(t, server)
  await store.contracts.update(3, { monto: '-1', descripcion: 'queda' })
  await store.sync()
  t.match(store.status, { pending: 0, refused: 1 })
  t.match(store.refused, [{ resource: 'contracts', id: 3, op: 'update', status: 400, code: 'invalid', errors: { monto: [/greater/] }, codes: { monto: ['min_value'] }, body: { monto: '-1' } }])
  t.match(await store.contracts.get(3), { monto: '-1', sync: 'refused' })
  await store.contracts.update(3, { monto: '5000000' })
  await store.sync()
  t.strictSame([store.refused, store.status.refused], [[], 0])
  t.match(await store.contracts.get(3), { monto: '5000000.00', descripcion: 'queda', sync: 'synced' })
})

t.test('a discarded edit leaves the record as the server has it', async (t) => {
  const { store } = await synced(t, server)
  const before = await store.contracts.get(4)
  await store.contracts.update(4, { moneda: 'XXX' as 'MXN' })
  await store.sync()
  await store.refused[0]?.discard()
  t.strictSame([await store.contracts.get(4), store.refused], [before, []])
})

t.test('fields of a refused update can be discarded alone', async (t) => {
  const { store } = await synced(t, server)
  const before = await store.contracts.get(5)
  await store.contracts.update(5, { monto: '-1', moneda: 'XXX' as 'MXN', descripcion: 'sin importe' })
  await store.sync()
  const [edit] = store.refused
  await t.rejects(edit?.discard(['folio']), { name: 'TypeError', message: /monto, moneda, descripcion, not folio/ })
  await edit?.discard(['monto', 'moneda'])
  t.match(store.status, { pending: 1, refused: 0 })
  await edit?.discard(['descripcion'])
  t.match(store.status, { pending: 1 }, 'the entry is over')
  await store.sync()
  t.match(await store.contracts.get(5), { monto: before?.monto, moneda: before?.moneda, descripcion: 'sin importe', sync: 'synced' })
  await store.contracts.create({ folio: '' })
  await store.sync()
  await t.rejects(store.refused[0]?.discard(['folio']), { name: 'TypeError' }, 'a creation needs its fields')
})

t.test('a later edit of a discarded field keeps its value', async (t) => {
  const { store } = await synced(t, server)
  const before = await store.contracts.get(6)
  await store.contracts.update(6, { monto: '-1', descripcion: 'queda' })
  // A change of state is an edit of its own.
  await store.contracts.update(6, { monto: '777.00', estado: 'suspendido' })
  await store.sync()
  t.match([store.refused, store.status], [[{ body: { monto: '-1' } }], { waiting: 1 }])
  await store.refused[0]?.discard(['monto'])
  await store.sync()
  t.strictSame([store.refused, store.conflicts], [[], []])
  t.match(store.status, { pending: 0, waiting: 0 })
  t.not(before?.monto, '777.00')
  t.match(await store.contracts.get(6), { monto: '777.00', estado: 'suspendido', descripcion: 'queda', sync: 'synced' })
})

t.test('a corrected creation is sent again, and then the records that refer to it', async (t) => {
  const { store } = await synced(t, server)
  const { contracts, estimates } = store
  const main = await contracts.create({ folio: 'ON-2026-001' })
  const sub = await contracts.create({ folio: 'REF-1-A', parent: main.id })
  const estimate = await estimates.create({ contract: sub.id, monto: '1' })
  await store.sync()
  t.strictSame(store.refused.map(({ status, code }) => [status, code]), [[400, 'invalid'], [424, 'dependency_failed'], [424, 'dependency_failed']])
  t.match(await contracts.get(main.id), { folio: 'ON-2026-001', sync: 'refused' })
  await contracts.update(main.id, { folio: 'REF-1' })
  t.match(store.status, { pending: 3, refused: 0 })
  await store.sync()
  t.match(store.status, { pending: 0, refused: 0 })
  t.match(await contracts.get(sub.id), { parent: main.id, sync: 'synced' })
  t.match(await estimates.get(estimate.id), { contract: sub.id, sync: 'synced' })
})

t.test('a queued record that refers to a refused one waits for its correction', async (t) => {
  const { store } = await synced(t, server)
  const { contracts } = store
  const main = await contracts.create({ folio: 'ON-2026-002' })
  await store.sync()
  const sub = await contracts.create({ folio: 'REF-2-A', parent: main.id })
  await contracts.update(main.id, { folio: 'REF-2' })
  await store.sync()
  t.match([store.status, await contracts.get(sub.id)], [{ pending: 0, refused: 0 }, { parent: main.id, sync: 'synced' }])
})

t.test('an edit that was being sent while its record was corrected is sent again', async (t) => {
  const { store, network } = await synced(t, server)
  const { contracts } = store
  const { id } = await contracts.create({ folio: 'ON-2026-004' })
  await store.sync()
  const sub = await contracts.create({ folio: 'REF-5-A', parent: id })
  let corrected: Promise<unknown> | undefined
  network.answer = ({ url }) => {
    if (url.includes('/mutations/')) corrected ??= contracts.update(id, { folio: 'REF-5' })
    return undefined
  }
  await store.sync()
  await corrected
  await store.sync()
  t.match([store.status, await contracts.get(sub.id)], [{ pending: 0, refused: 0 }, { parent: id, sync: 'synced' }])
})

t.test('a record whose answer was lost is sent again, if it is answered together with the correction of the one that it refers to', async (t) => {
  const { store, network } = await synced(t, server)
  const { contracts } = store
  const { id } = await contracts.create({ folio: 'ON-2026-001' })
  await store.sync()
  const sub = await contracts.create({ folio: 'REF-6-A', parent: id })
  network.losesAnswers = true
  await t.rejects(store.sync())
  network.losesAnswers = false
  await contracts.update(id, { folio: 'REF-6' })
  await store.sync()
  t.match([store.status, await contracts.get(sub.id)], [{ pending: 0, refused: 0 }, { parent: id, sync: 'synced' }])
})

t.test('a discarded creation takes the edits of its record with it', async (t) => {
  const { store } = await synced(t, server)
  const { id } = await store.contracts.create({ folio: 'ON-2026-003' })
  const sub = await store.contracts.create({ folio: 'REF-3-A', parent: id })
  await store.sync()
  await store.contracts.update(sub.id, { monto: '5' })
  await store.refused[0]?.discard()
  t.equal(await store.contracts.get(id), undefined)
  t.match(store.refused, [{ id: sub.id, status: 424, code: 'dependency_failed', detail: /Change `parent`, or discard/, errors: { parent: [/removed/] }, codes: { parent: ['does_not_exist'] } }], 'what refers to it is refused at once')
  await store.sync()
  t.match(store.refused, [{ id: sub.id, status: 424 }])
  await store.contracts.remove(sub.id)
  t.strictSame([await store.contracts.get(sub.id), store.status], [undefined, { ...store.status, pending: 0, refused: 0 }])
})

t.test('a refused removal shows the record again; it can be discarded, or tried again', async (t) => {
  const { store } = await synced(t, server)
  const { contracts } = store
  await contracts.remove(1)
  t.equal(await contracts.get(1), undefined)
  await store.sync()
  t.match(store.refused, [{ op: 'delete', id: 1, status: 409, code: 'protected', errors: None, codes: None }])
  t.match(await contracts.get(1), { folio: 'ON-2026-001', sync: 'refused' })
  await contracts.update(1, { descripcion: 'se queda' })
  await store.sync()
  t.match([await contracts.get(1), store.refused], [{ descripcion: 'se queda', sync: 'synced' }, None])

  const { id } = await contracts.create({ folio: 'REF-4' })
  await store.sync()
  await server.psql("update contracts set monto = 5 where folio = 'REF-4'")
  await contracts.remove(id)
  await store.sync()
  t.match(store.refused, [{ op: 'delete', status: 412 }], 'it has changed since')
  await contracts.remove(id)
  await store.sync()
  t.strictSame([await contracts.get(id), store.refused], [undefined, []])
})

t.test('an edit without the needed level is refused', async (t) => {
  const { store } = await synced(t, server, { email: 'auxiliar@demo.example' })
  await store.contrapartes.create({ nombre: 'Sin permiso' })
  await store.sync()
  t.match(store.refused, [{ status: 403, code: 'permission_denied' }])
})

for (const [resource, code] of [['estimates', 'conflict'], ['contracts', 'protected']] as const) {
  t.test(`a refused removal is not a conflict: the record stays, and the app can discard the removal: ${code}`, async (t) => {
    const { store } = await synced(t, server)
    const before = await store[resource].get(1)
    await store[resource].remove(1)
    await store.sync()
    t.match([store.conflicts, store.refused], [None, [{ resource, id: 1, op: 'delete', status: 409, code }]])
    t.match(await store[resource].get(1), { ...before, sync: 'refused' })
    await store.refused[0]?.discard()
    t.strictSame(await store[resource].get(1), before)
  })
}

t.test('a refusal by the store has the language of the client', async (t) => {
  const { store } = await synced(t, server, { language: 'es' })
  const { id } = await store.contracts.create({ folio: 'ON-2026-003' })
  await store.sync()
  await store.contracts.create({ folio: 'REF-6-A', parent: id })
  await store.refused[0]?.discard()
  t.match(store.refused, [{ status: 424, code: 'dependency_failed', detail: /eliminó en este dispositivo\. Cambie `parent`/, errors: { parent: ['El registro se eliminó en este dispositivo.'] }, codes: { parent: ['does_not_exist'] } }])
})
