import t from 'tap'
import type { Test } from 'tap'
import type { Conflict, Id, Store } from 'obra/client/sync'
import { listen } from '../server.ts'
import { phone } from './phone.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)

/** Two phones that edited the same contract: the amount differently, and a field each. The first one has been sent. */
async function collision (t: Test, folio: string): Promise<{ store: Store, other: Store, id: Id, conflict: () => Conflict }> {
  const [{ store }, { store: other }] = [await phone(t, server), await phone(t, server, { email: 'coordinador@demo.example' })]
  await other.sync()
  await other.contracts.create({ folio, monto: '100' })
  await other.sync()
  await store.sync()
  const [theirs, mine] = [(await other.contracts.list({ folio }))[0], (await store.contracts.list({ folio }))[0]]
  if (theirs === undefined || mine === undefined) throw new Error('the contract is missing')
  await other.contracts.update(theirs.id, { monto: '130', fecha_inicio: '2026-05-01' })
  await other.sync()
  await store.contracts.update(mine.id, { monto: '120', descripcion: 'mía' })
  await store.sync()
  return { store, other, id: mine.id, conflict: () => store.conflicts[0] }
}

t.test('a field that was edited elsewhere is in conflict, with all three values', async (t) => {
  const { store, id, conflict } = await collision(t, 'CON-1')
  t.match(store.status, { pending: 0, conflicts: 1 })
  t.match(conflict(), { resource: 'contracts', id, fields: { monto: { base: '100.00', mine: '120', theirs: '130.00' } } })
  t.strictSame(Object.keys(conflict().fields), ['monto'])
  t.match(await store.contracts.get(id), { monto: '120', descripcion: 'mía', fecha_inicio: '2026-05-01', sync: 'conflict' })
})

t.test('keepMine sends the values of this device again', async (t) => {
  const { store, other, id, conflict } = await collision(t, 'CON-2')
  await conflict().keepMine()
  t.match(store.status, { pending: 1, conflicts: 0 })
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '120.00', descripcion: 'mía', fecha_inicio: '2026-05-01', sync: 'synced' })
  await other.sync()
  t.match(await other.contracts.list({ folio: 'CON-2' }), [{ monto: '120.00', descripcion: 'mía' }])
})

t.test('keepTheirs drops the field in conflict and sends the others', async (t) => {
  const { store, id, conflict } = await collision(t, 'CON-3')
  await conflict().keepTheirs()
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '130.00', descripcion: 'mía', sync: 'synced' })
  t.strictSame(store.conflicts, [])
})

t.test('an edit with a base is in conflict with a value that has come since', async (t) => {
  const { store, other, id, conflict } = await collision(t, 'CON-9')
  await conflict().keepTheirs()
  await store.sync()
  await other.sync()
  const [elsewhere] = await other.contracts.list({ folio: 'CON-9' })
  await other.contracts.update(elsewhere?.id, { monto: '140' })
  await other.sync()
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '140.00', sync: 'synced' })
  await store.contracts.update(id, { monto: '150', fecha_inicio: '2026-06-01' }, { base: { monto: '130.00' } })
  await store.sync()
  t.match(conflict().fields, { monto: { base: '130.00', mine: '150', theirs: '140.00' } })
  t.strictSame(Object.keys(conflict().fields), ['monto'])
})

t.test('an edit by the app resolves a conflict: the user has seen the other value', async (t) => {
  const { store, id } = await collision(t, 'CON-5')
  await store.contracts.update(id, { monto: '126' })
  t.match(store.status, { pending: 1, conflicts: 0 })
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '126.00', descripcion: 'mía', sync: 'synced' })
})

t.test('an edit of another field is applied and leaves a conflict open', async (t) => {
  const { store, other, id, conflict } = await collision(t, 'CON-10')
  await store.contracts.update(id, { fecha_fin: '2027-01-01' })
  t.match([store.status, conflict().fields], [{ pending: 1, conflicts: 1 }, { monto: { base: '100.00', mine: '120', theirs: '130.00' } }])
  await store.sync()
  await other.sync()
  t.match(await other.contracts.list({ folio: 'CON-10' }), [{ monto: '130.00', fecha_fin: '2027-01-01' }])
  t.match([store.status, conflict().fields], [{ pending: 0, conflicts: 1 }, { monto: { base: '100.00', mine: '120', theirs: '130.00' } }])
  await conflict().keepMine()
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '120.00', descripcion: 'mía', fecha_fin: '2027-01-01', sync: 'synced' })
})

t.test('a user who saw an own value has not decided the conflict, one who saw the server\'s has', async (t) => {
  const { store, id, conflict } = await collision(t, 'CON-11')
  await store.contracts.update(id, { monto: '126' }, { base: { monto: '120' } })
  await store.sync()
  t.match(conflict().fields, { monto: { base: '100.00', mine: '126', theirs: '130.00' } })
  await store.contracts.update(id, { monto: '127' }, { base: { monto: '130.00' } })
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '127.00', descripcion: 'mía', sync: 'synced' })
})

t.test('resolving a conflict does not bring back a value that a later edit has replaced', async (t) => {
  const [{ store, network }, { store: other }] = [await phone(t, server), await phone(t, server)]
  await Promise.all([store.sync(), other.sync()])
  await other.contracts.update(4, { monto: '130' })
  await other.sync()
  await store.contracts.update(4, { monto: '120', descripcion: 'mía' })
  let posts = 0
  network.answer = async ({ method }) => {
    if (method !== 'POST') return undefined
    posts += 1
    // While the first edit is sent, the user makes another one.
    if (posts === 1) await store.contracts.update(4, { monto: '121' })
    return undefined
  }
  await store.sync()
  network.answer = undefined
  t.match([posts, store.status, await store.contracts.get(4)], [1, { pending: 0, waiting: 1, conflicts: 1 }, { monto: '121' }], 'the later edit waits')
  t.match(store.conflicts[0]?.fields, { monto: { mine: '121', theirs: '130.00' } })
  await store.conflicts[0]?.keepMine()
  await store.sync()
  t.match([store.conflicts, await store.contracts.get(4)], [None, { monto: '121.00', descripcion: 'mía', sync: 'synced' }])
})

t.test('a refused edit that is corrected leaves a conflict of another field open', async (t) => {
  const { store, id, conflict } = await collision(t, 'CON-12')
  await store.contracts.update(id, { iva_porcentaje: '-1' })
  await store.sync()
  t.match(store.status, { refused: 1, conflicts: 1 })
  await store.contracts.update(id, { iva_porcentaje: '8' }, { base: { iva_porcentaje: '-1' } })
  await store.sync()
  t.match(await store.contracts.get(id), { iva_porcentaje: '8.00', monto: '120', sync: 'conflict' })
  t.match([store.status, conflict().fields], [{ refused: 0, pending: 0, conflicts: 1 }, { monto: { base: '100.00', theirs: '130.00' } }])
})

t.test('a value that changes again before the resolution is shown, and is in conflict again only after it', async (t) => {
  const { store, other, id, conflict } = await collision(t, 'CON-6')
  const [theirs] = await other.contracts.list({ folio: 'CON-6' })
  await other.contracts.update(theirs?.id, { monto: '131' })
  await other.sync()
  await store.sync()
  t.strictSame(conflict().fields, { monto: { base: '100.00', mine: '120', theirs: '131.00' } })
  await other.contracts.update(theirs?.id, { monto: '132' })
  await other.sync()
  await conflict().keepMine()
  await store.sync()
  t.match(conflict().fields, { monto: { base: '131.00', mine: '120', theirs: '132.00' } })
  await conflict().keepMine()
  await store.sync()
  t.match(await store.contracts.get(id), { monto: '120.00', sync: 'synced' })
})

t.test('edits of different fields and equal edits are not in conflict', async (t) => {
  const [{ store }, { store: other }] = [await phone(t, server), await phone(t, server)]
  await store.sync()
  await other.sync()
  await other.contracts.update(2, { descripcion: 'de otro', iva_porcentaje: '8' })
  await other.sync()
  await store.contracts.update(2, { fecha_fin: '2030-01-01', iva_porcentaje: '8.00' })
  await store.sync()
  t.strictSame(store.conflicts, [])
  t.match(await store.contracts.get(2), { descripcion: 'de otro', fecha_fin: '2030-01-01', iva_porcentaje: '8.00', sync: 'synced' })
})

t.test('references in conflict have ids of the device', async (t) => {
  const [{ store }, { store: other }] = [await phone(t, server), await phone(t, server)]
  await store.sync()
  const { id } = await store.contracts.create({ folio: 'CON-7' })
  await store.sync()
  await other.sync()
  const [theirs] = await other.contracts.list({ folio: 'CON-7' })
  const party = await other.contrapartes.create({ nombre: 'Suya' })
  await other.contracts.update(theirs?.id, { contraparte: party.id })
  await other.sync()
  const own = await store.contrapartes.create({ nombre: 'Mía' })
  await store.contracts.update(id, { contraparte: own.id })
  await store.sync()
  const [suya] = await store.contrapartes.list({ nombre: 'Suya' })
  t.strictSame(store.conflicts[0]?.fields, { contraparte: { base: null, mine: own.id, theirs: suya?.id } })
  await store.conflicts[0]?.keepMine()
  await store.sync()
  t.match(await store.contracts.get(id), { contraparte_id: own.id, sync: 'synced' })
})
