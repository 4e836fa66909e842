import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Test } from 'tap'
import { memoryStorage, openStore } from 'obra/client/sync'
import { list } from './entries.ts'
import { phone, synced } from './phone.ts'
import { foliosOf, pagesOf, selecting } from './selecting.ts'

const { server, obra, contract, rows } = await selecting(t)

t.test('without options, the store has contrapartes, contracts and estimates', async (t) => {
  const { store } = await synced(t, server)
  t.not((await store.estimates.list()).length, 0)
  await server.psql("insert into conceptos (company_id, contract_id, clave, unidad, cantidad, precio_unitario) values (1, 2, 'SEL-0', 'm', 0, 1)")
  await store.sync()
  const seen: unknown[] = []
  const stop = store.conceptos.watch(undefined, records => seen.push(records))
  t.strictSame([await store.conceptos.list(), await store.conceptos.get(1)], [[], undefined])
  while (seen.length === 0) await setImmediate()
  t.strictSame(seen, [[]])
  stop()
  const message = 'this store has no conceptos. Name them in the option `resources` of openStore.'
  await t.rejects(store.conceptos.create({ contract: 2, clave: 'A', unidad: 'm', cantidad: '1', precio_unitario: '1' }), new TypeError(`create: ${message}`))
  await t.rejects(store.conceptos.update(1, { unidad: 'm2' }), new TypeError(`update: ${message}`))
  await t.rejects(store.conceptos.remove(1), new TypeError(`remove: ${message}`))
  t.equal(store.status.pending, 0)
})

t.test('a resource brings the resources that it refers to, and its records can name records that are not sent yet', async (t) => {
  const { store, network } = await synced(t, server, { resources: ['generadores'] })
  network.isOnline = false
  const contract = await store.contracts.create({ folio: 'SEL-1' })
  const convenio = await store.convenios.create({ contract: contract.id })
  const concepto = await store.conceptos.create({ contract: contract.id, clave: 'A', unidad: 'm3', cantidad: '100', precio_unitario: '2.50' })
  const extra = await store.conceptos.create({ contract: contract.id, convenio: convenio.id, clave: 'B', unidad: 'm', cantidad: '1', precio_unitario: '1' })
  const estimate = await store.estimates.create({ contract: contract.id })
  const line = await store.generadores.create({ estimate: estimate.id, concepto: concepto.id, piezas: '2', largo: '3.5' })
  network.isOnline = true
  await store.sync()
  t.match(store.status, { pending: 0, refused: 0, conflicts: 0, error: undefined })
  t.match(await store.generadores.get(line.id), { id: line.id, contract: contract.id, estimate: estimate.id, concepto: concepto.id, cantidad: '7.0000', sync: 'synced' })
  t.match(await store.conceptos.list({ convenio: convenio.id }), [{ id: extra.id, contract: contract.id }])
  t.match(await store.estimates.get(estimate.id), { monto: '17.50', lineas: 1 })
  t.match(await store.contracts.get(contract.id), { monto: '250.00' })

  await store.generadores.update(line.id, { largo: '4' })
  await store.sync()
  t.match([await store.generadores.get(line.id), await store.estimates.get(estimate.id)], [{ cantidad: '8.0000' }, { monto: '20.00' }])
})

t.test('a store of some contracts has their records and all counterparties', async (t) => {
  const [one, two, other] = [await contract('SEL-2-A'), await contract('SEL-2-B'), await contract('SEL-2-C')]
  const { store, network } = await synced(t, server, { contracts: [two, String(one), two] })
  const [{ count }] = await rows('select count(*)::int as count from contrapartes where company_id = 1') as [{ count: number }]
  t.strictSame([(await store.contracts.list()).map(({ id }) => id), (await store.contrapartes.list()).length], [[one, two], count])
  await obra.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: other } }, body: { descripcion: 'x' } })
  await obra.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: one } }, body: { descripcion: 'x' } })
  await obra.DELETE('/api/v1/contracts/{id}/', { params: { path: { id: two } } })
  const before = pagesOf(network)
  await store.sync()
  t.match(await store.contracts.list(), [{ id: one, descripcion: 'x' }])
  t.equal(pagesOf(network), before + 1, 'the copy continues')
})

t.test('records of other contracts leave the device when the server has them', async (t) => {
  const [one, other] = [await contract('SEL-3-A'), await contract('SEL-3-B')]
  const storage = memoryStorage()
  const { store, network } = await synced(t, server, { storage, contracts: [one] })
  network.isOnline = false
  const { id } = await store.contracts.create({ folio: 'SEL-3-NEW' })
  const child = await store.estimates.create({ contract: id, descripcion: 'SEL-3-CHILD' })
  const foreign = await store.estimates.create({ contract: other, descripcion: 'SEL-3-FOREIGN' })
  t.match([await store.contracts.get(id), await store.estimates.get(child.id)], [{ sync: 'pending' }, { contract: id, sync: 'pending' }])
  network.isOnline = true
  network.losesAnswers = true
  await t.rejects(store.sync())
  t.match(await foliosOf(store, 'SEL-3'), ['SEL-3-A', 'SEL-3-NEW'])
  network.losesAnswers = false
  await store.sync()
  t.match(store.status, { pending: 0, refused: 0, conflicts: 0 })
  t.strictSame([await foliosOf(store, 'SEL-3'), await store.estimates.list(), await store.estimates.get(foreign.id)], [['SEL-3-A'], [], undefined])
  t.match(await rows("select e.descripcion, c.folio from estimates e join contracts c on c.id = e.contract_id where e.descripcion like 'SEL-3%' order by e.id"), [
    { descripcion: 'SEL-3-CHILD', folio: 'SEL-3-NEW' }, { descripcion: 'SEL-3-FOREIGN', folio: 'SEL-3-B' }])
  t.strictSame((await list(storage, 'store/')).filter(([key]) => key.includes('/edit/')), [])
})

t.test('an edit of a record of another contract stays on the device until it is accepted or resolved', async (t) => {
  const one = await contract('SEL-4-A')
  const { store, network } = await synced(t, server, { contracts: [one] })
  network.isOnline = false
  const { id } = await store.contracts.create({ folio: 'SEL-4-NEW', monto: '-1' })
  const child = await store.estimates.create({ contract: id, descripcion: 'SEL-4-CHILD' })
  network.isOnline = true
  await store.sync()
  t.match(store.refused, [{ id, status: 400 }, { id: child.id, status: 424 }])
  t.match(await store.contracts.get(id), { folio: 'SEL-4-NEW', sync: 'refused' })
  await store.contracts.update(id, { monto: '5' })
  await store.sync()
  t.match(store.status, { pending: 0, refused: 0 })
  t.strictSame([await foliosOf(store, 'SEL-4'), await store.estimates.list()], [['SEL-4-A'], []])
  t.match(await rows("select c.monto::text from estimates e join contracts c on c.id = e.contract_id where e.descripcion = 'SEL-4-CHILD'"), [{ monto: '5.00' }])
})

t.test('`contracts` can have a contract that was created on the device', async (t) => {
  const one = await contract('SEL-8-A')
  const storage = memoryStorage()
  const first = await synced(t, server, { storage, contracts: [one] })
  first.network.isOnline = false
  const { id } = await first.store.contracts.create({ folio: 'SEL-8-NEW' })
  const only = await phone(t, server, { storage, contracts: [id] })
  await only.store.sync()
  t.strictSame(await foliosOf(only.store, 'SEL-8'), ['SEL-8-NEW'])
  const { network, store } = await phone(t, server, { storage, contracts: [one, id] })
  await store.sync()
  t.strictSame([await foliosOf(store, 'SEL-8'), (await store.contracts.list({ folio: 'SEL-8-NEW' })).map(({ id }) => id)], [['SEL-8-A', 'SEL-8-NEW'], [id]])
  const before = pagesOf(network)
  const estimate = await store.estimates.create({ contract: id })
  await store.sync()
  t.match([await store.estimates.get(estimate.id), pagesOf(network)], [{ contract: id, sync: 'synced' }, before + 1])
})

t.test('mistakes in the selection are reported at the start', async (t: Test) => {
  const open = async (options: object) => await openStore({ client: obra, storage: memoryStorage(), ...options })
  for (const [options, message] of [
    [{ resources: [] }, /`resources` needs a list such as/],
    [{ resources: 'estimates' }, /`resources` needs a list such as/],
    [{ resources: ['estimate'] }, /has estimate, which is not one of contrapartes, contracts, estimates/],
    [{ contracts: [] }, /`contracts` needs a list such as \[57, 61\]\. Leave it out/],
    [{ contracts: 57 }, /`contracts` needs a list/],
    [{ contracts: [{ id: 57 }] }, /contracts needs the id of a record, not an object/],
    [{ contracts: Array.from({ length: 101 }, (_, index) => index + 1) }, /has 101 ids, and can have 100/]
  ] as const) {
    const rejection = await open(options).then(() => undefined, error => error)
    t.match([rejection?.name, rejection?.message], ['TypeError', message])
  }
})
