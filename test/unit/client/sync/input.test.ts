import t from 'tap'
import { memoryStorage, openStore } from 'obra/client/sync'
import { listen } from '../server.ts'
import { phone, synced } from './phone.ts'

const server = await listen(t)
const { store, obra } = await synced(t, server)
/** Calls with arguments that the types refuse. */
const untyped = (value: unknown) => value as any

t.test('mistakes of the app are thrown, and queue nothing', async (t) => {
  const { contracts } = store
  const mistakes: Array<[call: () => unknown, message: RegExp]> = [
    [async () => await contracts.create(untyped('CASETA-1')), /create needs an object of fields, such as \{ folio: … \}, not "CASETA-1"/],
    [async () => await contracts.create(untyped(undefined)), /not undefined/],
    [async () => await contracts.create(untyped([{ folio: 'INP-1' }])), /not an array/],
    [async () => await contracts.create(untyped(new Map([['folio', 'INP-1']]))), /not an object \(Map\)/],
    [async () => await contracts.create(untyped({ folio: 'INP-1', mnto: '1' })), /contracts has no field mnto that can be written\. Its fields are .*monto/],
    [async () => await contracts.update(1, untyped('530.00')), /update needs an object/],
    [async () => await contracts.update(1, untyped({ id: 1 })), /no field id/],
    [async () => await contracts.update(1, untyped({ monto: undefined })), /monto is undefined\. Leave the field out, or pass null/],
    [async () => await contracts.update(1, untyped({ fecha_fin: new Date(0) })), /fecha_fin is a Date\. Pass text, such as '2026-01-31'/],
    [async () => await contracts.update(1, untyped({ monto: () => '1' })), /monto is or has a function/],
    [async () => await contracts.update(1, untyped({ monto: NaN })), /monto is or has NaN/],
    [async () => await contracts.update(1, untyped({ monto: 5n })), /monto is or has a bigint/],
    [async () => await contracts.update(1, untyped({ monto: ['1', Symbol('x')] })), /monto is or has a symbol/],
    [async () => await contracts.update(1, untyped({ parent: { id: 2 } })), /parent is an object .*Pass the id of the record/],
    [async () => await contracts.update(1, { monto: '1' }, untyped({ base: '0' })), /base needs to be an object/],
    [async () => await contracts.update(untyped({ id: 1 }), { monto: '1' }), /update needs the id of a record, not an object/],
    [async () => await contracts.remove(untyped(undefined)), /remove needs the id of a record, not undefined/],
    [async () => await contracts.get(untyped(null)), /get needs the id of a record, not null/],
    [async () => await contracts.list(untyped('CASETA-1')), /list needs an object of values, .*or a function, not "CASETA-1"/],
    [() => contracts.watch(untyped(() => {}), untyped(undefined)), /watch needs a filter, or undefined, and then a function/],
    [async () => await openStore({ client: obra, storage: untyped(Promise.resolve(memoryStorage())) }), /not a promise: await fileStorage/],
    [async () => await openStore({ client: obra, storage: untyped(undefined) }), /needs `storage`, such as memoryStorage/],
    [async () => await openStore({ client: untyped({}), storage: memoryStorage() }), /needs `client`/]
  ]
  for (const [call, message] of mistakes) await t.rejects(async () => { await call() }, { name: 'TypeError', message })
  t.equal(store.status.pending, 0)
})

t.test('digits are the id of a record, other text is an unknown one', async (t) => {
  t.match(await store.contracts.get('1'), { id: 1 })
  t.equal(await store.contracts.get('unknown'), undefined)
  await t.rejects(store.contracts.update('unknown', { monto: '1' }), { code: 'not_found' })
})

t.test('the base of an edit can be a whole record', async (t) => {
  const { id } = await store.contracts.create({ folio: 'INP-3', monto: '1' })
  const shown = await store.contracts.get(id)
  t.match(await store.contracts.update(id, { monto: '2' }, { base: untyped({ ...shown, descripcion: undefined }) }), { monto: '2' })
  t.match(await store.contracts.update(id, { descripcion: 'dos' }, { base: { descripcion: untyped(undefined) } }), { descripcion: 'dos' })
  await store.contracts.remove(id)
})

t.test('an edit keeps the values that it had when it was made', async (t) => {
  const body = { folio: 'INP-2', monto: '1' }
  const { id } = await store.contracts.create(body)
  body.monto = '2'
  t.match(await store.contracts.get(id), { monto: '1' })
  await store.contracts.remove(id)
})

t.test('a conflict is resolved with values of its fields only', async (t) => {
  const { store: other } = await phone(t, server)
  await Promise.all([store.sync(), other.sync()])
  await other.contracts.update(3, { monto: '130' })
  await other.sync()
  await store.contracts.update(3, { monto: '120' })
  await store.sync()
  const [conflict] = store.conflicts
  await t.rejects(async () => await conflict?.set(untyped('530.00')), { name: 'TypeError', message: /set needs an object of fields/ })
  await t.rejects(async () => await conflict?.set({ folio: 'X' }), { name: 'TypeError', message: /fields in conflict: monto, not folio/ })
  await t.rejects(async () => await conflict?.set({}), { name: 'TypeError', message: /fields in conflict: monto\.$/ })
  t.match(store.status, { pending: 0, conflicts: 1 })
  await conflict?.set({ monto: '530.00' })
  await store.sync()
  t.match(await store.contracts.get(3), { monto: '530.00', sync: 'synced' })
})
