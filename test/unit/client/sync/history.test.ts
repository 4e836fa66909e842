import t from 'tap'
import { None } from '../../../support/none.ts'
import { listen } from '../server.ts'
import { given } from './given.ts'
import { synced } from './phone.ts'

const server = await listen(t)
const { store: other } = await synced(t, server)

t.test('neighbours in the queue are one edit, others are not', async (t) => {
  const { store } = await synced(t, server)
  const { contracts } = store
  const { id } = await contracts.create({ folio: 'HIS-9' })
  await contracts.update(id, { monto: '1' })
  await contracts.update(id, { monto: '2', descripcion: 'dos' })
  t.equal(store.status.pending, 1)
  await contracts.update(id, { estado: 'suspendido' })
  await contracts.update(id, { monto: '3' })
  await contracts.update(id, { monto: '4', estado: 'suspendido' })
  t.equal(store.status.pending, 3, 'a form that sends the state as it was does not change it')
  await contracts.create({ folio: 'HIS-10' })
  await contracts.update(id, { monto: '5' })
  t.equal(store.status.pending, 5)
  await store.sync()
  t.match([await contracts.get(id), store.status, store.refused], [{ monto: '5.00', estado: 'suspendido', descripcion: 'dos' }, { pending: 0 }, None])
})

t.test('a change of state waits while an earlier edit of its record is in conflict; edits of other records and fields do not', async (t) => {
  const { store } = await synced(t, server)
  const [contract, second] = await given(store, { folio: 'HIS-11', monto: '100' }, { folio: 'HIS-12' })
  await other.sync()
  await other.contracts.update((await other.contracts.list({ folio: 'HIS-11' }))[0]?.id, { monto: '130' })
  await other.sync()
  await store.contracts.update(contract, { monto: '120' })
  await store.contracts.update(second, { monto: '5' })
  await store.contracts.update(contract, { estado: 'terminado' })
  await store.contracts.update(second, { descripcion: 'otra' })
  await store.contracts.update(contract, { descripcion: 'final' })
  await store.sync()
  t.match(store.status, { pending: 0, waiting: 2, conflicts: 1, refused: 0 })
  t.match(await store.contracts.get(second), { descripcion: 'otra', sync: 'synced' })
  t.match(await server.psql("select estado, monto from contracts where folio = 'HIS-11'"), [{ estado: 'vigente', monto: '130.00' }])
  await store.sync()
  t.match(store.status, { pending: 0, waiting: 2, conflicts: 1 })
  await store.conflicts[0]?.keepMine()
  await store.sync()
  t.match([store.status, await store.contracts.get(contract)], [{ pending: 0, conflicts: 0 }, { estado: 'terminado', monto: '120.00', descripcion: 'final', sync: 'synced' }])
})

t.test('keepTheirs releases the edits that waited, without the field', async (t) => {
  const { store } = await synced(t, server)
  const [contract] = await given(store, { folio: 'HIS-13', monto: '100' })
  await other.sync()
  await other.contracts.update((await other.contracts.list({ folio: 'HIS-13' }))[0]?.id, { estado: 'suspendido' })
  await other.sync()
  for (const estado of ['terminado'] as const) await store.contracts.update(contract, { estado })
  await store.contracts.update(contract, { monto: '7' })
  await store.sync()
  t.match([store.status, store.conflicts], [{ pending: 0, waiting: 1 }, [{ fields: { estado: { base: 'vigente', mine: 'terminado', theirs: 'suspendido' } } }]])
  await store.conflicts[0]?.keepTheirs()
  await store.sync()
  t.match([store.status, await store.contracts.get(contract)], [{ pending: 0, waiting: 0, conflicts: 0 }, { estado: 'suspendido', monto: '7.00', sync: 'synced' }])
})

t.test('one refused edit leaves the other edits of its record alone, and a change of state waits for its correction', async (t) => {
  const { store } = await synced(t, server)
  const [contract, between] = await given(store, { folio: 'HIS-14' }, { folio: 'HIS-15' })
  await store.contracts.update(contract, { monto: '-1' })
  await store.contracts.update(between, { monto: '1' })
  await store.contracts.update(contract, { descripcion: 'sola' })
  await store.contracts.update(between, { monto: '2' })
  await store.contracts.update(contract, { estado: 'terminado' })
  await store.sync()
  t.match(store.refused, [{ id: contract, status: 400, body: { monto: '-1' }, errors: { monto: [/greater/] } }])
  t.strictSame(Object.keys(store.refused[0]?.body ?? {}), ['monto'])
  t.match(await server.psql("select descripcion, estado from contracts where folio = 'HIS-14'"), [{ descripcion: 'sola', estado: 'vigente' }])
  t.match(store.status, { pending: 0, waiting: 1, refused: 1 })
  await store.contracts.update(contract, { monto: '3' })
  await store.sync()
  t.match([store.refused, store.status, await store.contracts.get(contract)], [None, { pending: 0 }, { monto: '3.00', descripcion: 'sola', estado: 'terminado', sync: 'synced' }])
})

t.test('a discarded edit releases the ones that waited for it', async (t) => {
  const { store } = await synced(t, server)
  const [contract] = await given(store, { folio: 'HIS-16' })
  await store.contracts.update(contract, { monto: '-1' })
  await store.contracts.update(contract, { estado: 'suspendido' })
  await store.sync()
  t.match(store.status, { waiting: 1, refused: 1 })
  await store.refused[0]?.discard()
  await store.sync()
  t.match([store.status, await store.contracts.get(contract)], [{ pending: 0, refused: 0 }, { monto: '0.00', estado: 'suspendido', sync: 'synced' }])
})

t.test('a parent that is removed before it was sent leaves no child waiting for ever', async (t) => {
  const { store } = await synced(t, server)
  const { contracts } = store
  const main = await contracts.create({ folio: 'HIS-17-A' })
  const sub = await contracts.create({ folio: 'HIS-17-B', parent: main.id })
  await contracts.remove(main.id)
  await store.sync()
  t.match(store.refused, [{ op: 'delete', id: main.id, status: 409, code: 'protected' }], 'as online: the server has both, and keeps the parent')
  t.match([await contracts.get(main.id), await contracts.get(sub.id)], [{ sync: 'refused' }, { parent: main.id, sync: 'synced' }])
  await contracts.update(sub.id, { parent: null })
  await contracts.remove(main.id)
  await store.sync()
  t.match([store.refused, store.status.pending, await contracts.get(main.id), await contracts.get(sub.id)], [None, 0, undefined, { parent: null, sync: 'synced' }])

  const refused = await contracts.create({ folio: 'ON-2026-001' })
  const child = await contracts.create({ folio: 'HIS-18-B', parent: refused.id })
  await store.sync()
  await contracts.remove(refused.id)
  t.match(store.refused, [{ id: child.id, status: 424 }])
  await contracts.update(child.id, { parent: null })
  await store.sync()
  t.match([store.refused, await contracts.get(child.id)], [None, { parent: null, sync: 'synced' }])
})

t.test('a removal takes the version that the last edit of the record gave it', async (t) => {
  const { store, network } = await synced(t, server)
  const [contract] = await given(store, { folio: 'HIS-20' })
  await store.contracts.update(contract, { estado: 'suspendido' })
  await store.contracts.remove(contract)
  await store.sync()
  t.match(network.sent.flatMap(({ body }) => body?.mutations ?? []).at(-1), { op: 'delete', version: 2 })
  t.match([store.refused, store.status.pending, await store.contracts.get(contract)], [None, 0, undefined])
})

t.test('of several edits made while a creation is being sent, the last value counts when the creation is refused', async (t) => {
  const { store, network } = await synced(t, server)
  const { id } = await store.contracts.create({ folio: 'ON-2026-001', monto: '1' })
  let edited: Promise<void> | undefined
  network.answer = async ({ method }) => {
    if (method === 'POST') {
      edited ??= (async () => {
        await store.contracts.update(id, { descripcion: 'uno' })
        await store.contracts.create({ folio: 'HIS-22' })
        await store.contracts.update(id, { descripcion: 'dos' })
      })()
    }
    await edited
    return undefined
  }
  await store.sync()
  t.match([store.refused, store.status], [[{ id, op: 'create', body: { descripcion: 'dos' } }], { pending: 0, refused: 1 }])
  await store.contracts.update(id, { folio: 'HIS-23' })
  await store.sync()
  t.match([store.refused, await store.contracts.get(id)], [None, { folio: 'HIS-23', descripcion: 'dos', monto: '1.00', sync: 'synced' }])
})

t.test('a corrected creation takes the later edits of the records that refer to it along, in their order', async (t) => {
  const { store } = await synced(t, server)
  const { contracts, contrapartes } = store
  const [contract, between] = await given(store, { folio: 'HIS-24', monto: '100' }, { folio: 'HIS-25' })
  const { id } = await contrapartes.create({ nombre: '' })
  await store.sync()
  await contracts.update(contract, { contraparte: id, monto: '120.00' })
  await contracts.update(between, { descripcion: 'x' })
  await contracts.update(contract, { monto: '130.00' })
  await contracts.update(contract, { estado: 'suspendido' })
  await contrapartes.update(id, { nombre: 'HIS-24' })
  await store.sync()
  t.match(store.status, { pending: 0, waiting: 0, refused: 0, conflicts: 0 })
  t.match(await contracts.get(contract), { monto: '130.00', contraparte_id: id, estado: 'suspendido', sync: 'synced' })
})

t.test('an edit that was refused with a creation is sent before the later edits of its record', async (t) => {
  const { store, network } = await synced(t, server)
  const { contracts, contrapartes } = store
  const [contract, between] = await given(store, { folio: 'HIS-26', monto: '100' }, { folio: 'HIS-27' })
  const { id } = await contrapartes.create({ nombre: '' })
  await store.sync()
  await contracts.update(contract, { contraparte: id, monto: '120.00' })
  let edited: Promise<void> | undefined
  network.answer = async ({ method }) => {
    if (method === 'POST') {
      edited ??= (async () => {
        await contracts.update(between, { descripcion: 'x' })
        await contracts.update(contract, { monto: '130.00' })
        await contrapartes.update(id, { nombre: 'HIS-26' })
      })()
    }
    await edited
    return undefined
  }
  await store.sync()
  t.match(store.status, { pending: 0, waiting: 0, refused: 0, conflicts: 0 })
  t.match(await contracts.get(contract), { monto: '130.00', contraparte_id: id, sync: 'synced' })
})
