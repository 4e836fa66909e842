import t, { type Test } from 'tap'
import type { Id } from 'obra/client/sync'
import { None } from '../../../support/none.ts'
import { failed } from '../answers.ts'
import { listen } from '../server.ts'
import { synced, type Phone } from './phone.ts'

const server = await listen(t)
const resources = ['generadores', 'movimientos'] as const
let made = 0

interface Site extends Phone {
  folio: string
  contract: Id
  concepto: Id
  estimate: Id
  lines: [Id, Id]
}

/** A phone with an estimate of two lines that the server has. */
async function measured (t: Test, selected: ReadonlyArray<'generadores' | 'movimientos'> = resources): Promise<Site> {
  const phone = await synced(t, server, { resources: selected })
  const { store } = phone
  const folio = `REM-${++made}`
  const { id: contract } = await store.contracts.create({ folio })
  const { id: concepto } = await store.conceptos.create({ contract, clave: 'A', unidad: 'm', cantidad: '10', precio_unitario: '5' })
  const { id: estimate } = await store.estimates.create({ contract })
  const lineOf = async () => (await store.generadores.create({ estimate, concepto, cantidad: '1' })).id
  const lines: [Id, Id] = [await lineOf(), await lineOf()]
  await store.sync()
  phone.network.sent = []
  return { ...phone, folio, contract, concepto, estimate, lines }
}

/** Another phone, with its ids of the records. */
async function other (t: Test, { folio }: Site) {
  const { store } = await synced(t, server, { resources })
  const [contract] = await store.contracts.list({ folio })
  const [estimate] = await store.estimates.list({ contract: contract?.id as Id })
  const lines = await store.generadores.list({ estimate: estimate?.id as Id })
  const [concepto] = await store.conceptos.list({ contract: contract?.id as Id })
  return { store, contract: contract?.id as Id, estimate: estimate?.id as Id, concepto: concepto?.id as Id, lines: lines.map(({ id }) => id) }
}

/** Expects that the server has removed the estimate with its lines. */
async function isRemoved (t: Test, site: Site): Promise<void> {
  const { store, estimate, lines } = site
  t.match([store.refused, store.conflicts, store.status], [None, None, { pending: 0, waiting: 0, error: undefined }])
  t.strictSame(await Promise.all([store.estimates.get(estimate), ...lines.map(async id => await store.generadores.get(id))]), [undefined, undefined, undefined])
  t.strictSame((await other(t, site)).estimate, undefined)
}

/** Expects that the server has refused the removal, and that another removal then works. */
async function isRefused (t: Test, site: Site): Promise<void> {
  const { store, estimate } = site
  t.match(store.refused.filter(({ op }) => op === 'delete'), [{ id: estimate, status: 412, code: 'precondition_failed' }])
  t.match([await store.estimates.get(estimate), store.status], [{ id: estimate }, { pending: 0 }])
  await store.estimates.remove(estimate)
  await store.sync()
  t.strictSame((await other(t, site)).estimate, undefined)
}

const mutationsIn = ({ network }: Site): unknown[] => network.sent.flatMap(({ body }) => body?.mutations === undefined ? [] : [body.mutations.map(({ op, resource }: Record<string, string>) => `${op} ${resource}`)])

t.test('an estimate is removed after its lines were changed, in the next request', async (t) => {
  const site = await measured(t)
  const { store, concepto, estimate, lines } = site
  await store.generadores.update(lines[0], { piezas: '2' })
  await store.generadores.remove(lines[1])
  await store.generadores.create({ estimate, concepto, cantidad: '3' })
  await store.estimates.update(estimate, { descripcion: 'mayo' })
  await store.movimientos.create({ estimate, tipo: 'pena', motivo: 'x', antes_iva: false, importe: '1.00' })
  await store.estimates.remove(estimate)
  await store.sync()
  await isRemoved(t, site)
  t.strictSame(mutationsIn(site), [['update generadores', 'delete generadores', 'create generadores', 'update estimates', 'create movimientos'], ['delete estimates']])
})

t.test('an estimate is removed after own values that the server writes differently', async (t) => {
  const site = await measured(t)
  const { store, estimate, lines: [line] } = site
  await store.estimates.update(estimate, { deductivas: '5', descripcion: ' mayo ' })
  await store.generadores.update(line, { cantidad: '2' })
  await store.estimates.remove(estimate)
  await store.sync()
  await isRemoved(t, site)
})

t.test('a code that another device has changed is another value, even if it looks like the same number', async (t) => {
  const site = await measured(t)
  const { store, contract, concepto } = site
  const { id: unmeasured } = await store.conceptos.create({ contract, clave: '1.1', unidad: 'm', cantidad: '1', precio_unitario: '5' })
  const { id: estimate } = await store.estimates.create({ contract })
  const { id: line } = await store.generadores.create({ estimate, concepto: unmeasured, cantidad: '1' })
  await store.sync()
  await store.generadores.remove(line)
  await store.conceptos.remove(unmeasured)
  const second = await other(t, site)
  const [found] = await second.store.conceptos.list({ clave: '1.1' })
  await second.store.conceptos.update(found?.id as Id, { clave: '1.10' })
  await second.store.sync()
  await store.sync()
  t.match(store.refused, [{ resource: 'conceptos', id: unmeasured, op: 'delete', status: 412 }])
  t.match([await store.conceptos.get(unmeasured), await store.conceptos.get(concepto)], [{ clave: '1.10' }, { clave: 'A' }])
})

t.test('an estimate is removed after changes that need several requests and synchronizations, and all of its lines', async (t) => {
  const site = await measured(t)
  const { store, network, estimate, lines: [first, second] } = site
  for (const [line, cantidad] of [[first, '2'], [second, '3'], [first, '4']] as const) await store.generadores.update(line, { cantidad })
  network.answer = ({ url }) => url.includes('changes') ? Response.error() : undefined
  await t.rejects(store.sync())
  network.answer = undefined
  for (const line of [first, second]) await store.generadores.remove(line)
  await store.estimates.remove(estimate)
  await store.sync()
  await isRemoved(t, site)
})

t.test('an estimate is removed after a price of its contract was changed, and after the answer was lost', async (t) => {
  const site = await measured(t)
  const { store, network, concepto, estimate } = site
  await store.conceptos.update(concepto, { precio_unitario: '7' })
  network.losesAnswers = true
  await t.rejects(store.sync(), TypeError)
  network.losesAnswers = false
  await store.estimates.remove(estimate)
  await store.sync()
  await isRemoved(t, site)
})

t.test('an estimate is not removed before the answer to an earlier change of a price, and is removed with it', async (t) => {
  const site = await measured(t)
  const { store, network, concepto, estimate } = site
  await store.conceptos.update(concepto, { precio_unitario: '7' })
  await store.estimates.remove(estimate)
  network.losesAnswers = true
  await t.rejects(store.sync(), { code: 'offline' })
  network.losesAnswers = false
  t.match([store.refused, store.status], [None, { pending: 2 }])
  await store.sync()
  await isRemoved(t, site)
})

t.test('an estimate is removed that was created with lines meanwhile', async (t) => {
  const site = await measured(t)
  const { store, network, contract, concepto } = site
  const { id } = await store.estimates.create({ contract, descripcion: 'junio' })
  network.losesAnswers = true
  await t.rejects(store.sync(), TypeError)
  network.losesAnswers = false
  await store.generadores.create({ estimate: id, concepto, cantidad: '3' })
  await store.estimates.remove(id)
  await store.sync()
  t.match([store.refused, store.status, await store.estimates.get(id)], [None, { pending: 0 }, undefined])
  const { id: never } = await store.estimates.create({ contract, descripcion: 'julio' })
  await store.generadores.create({ estimate: never, concepto, cantidad: '3' })
  await store.estimates.remove(never)
  await store.sync()
  t.match([store.refused, store.status, await store.estimates.get(never)], [None, { pending: 0 }, undefined])
})

t.test('two estimates and their contract are removed after their lines and concepts', async (t) => {
  const site = await measured(t)
  const { store, contract, concepto, estimate, lines } = site
  const { id: second } = await store.estimates.create({ contract })
  const { id: line } = await store.generadores.create({ estimate: second, concepto, cantidad: '3' })
  await store.sync()
  await store.generadores.update(lines[0], { cantidad: '2' })
  await store.generadores.update(line, { cantidad: '4' })
  await store.estimates.remove(second)
  await store.estimates.remove(estimate)
  await store.conceptos.remove(concepto)
  await store.contracts.remove(contract)
  await store.sync()
  await isRemoved(t, site)
  t.strictSame((await other(t, site)).contract, undefined)
})

t.test('an estimate is removed although a change of a line is refused, or the server fails with it', async (t) => {
  const site = await measured(t)
  const { store, network, estimate, lines: [first, second] } = site
  await store.generadores.update(first, { cantidad: '99999999999999' })
  await store.generadores.update(second, { cantidad: '2' })
  network.answer = async request => request.method === 'POST' && (await request.clone().text()).includes('99999999999999') ? failed() : undefined
  await store.estimates.remove(estimate)
  await t.rejects(store.sync(), { name: 'ObraError', status: 500, code: 'error' })
  t.type((await other(t, site)).estimate, 'number', 'the removal follows the change of the other line')
  await t.rejects(store.sync(), { name: 'ObraError', status: 500, code: 'error' })
  network.answer = undefined
  t.strictSame((await other(t, site)).estimate, undefined)
  await store.sync()
  t.match([store.refused, store.status], [[{ resource: 'generadores', status: 404 }], { pending: 0 }])
})

const changes: Record<string, (phone: Awaited<ReturnType<typeof other>>, site: Site) => Promise<unknown>> = {
  'added a line': async ({ store, estimate, concepto }) => await store.generadores.create({ estimate, concepto, cantidad: '1' }),
  'changed the same line': async ({ store, lines }) => await store.generadores.update(lines[0] as Id, { observaciones: 'x' }),
  'changed another line': async ({ store, lines }) => await store.generadores.update(lines[1] as Id, { observaciones: 'x' }),
  'removed a line': async ({ store, lines }) => await store.generadores.remove(lines[1] as Id),
  'added a movement': async ({ store, estimate }) => await store.movimientos.create({ estimate, tipo: 'pena', motivo: 'x', antes_iva: true, importe: '1.00' }),
  'changed the estimate': async ({ store, estimate }) => await store.estimates.update(estimate, { descripcion: 'x' })
}

for (const [name, change] of Object.entries(changes)) {
  t.test(`an estimate is not removed after own changes if another device ${name} meanwhile`, async (t) => {
    const site = await measured(t)
    const { store, estimate, lines: [line] } = site
    const phone = await other(t, site)
    await store.generadores.update(line, { cantidad: '2' })
    await store.estimates.remove(estimate)
    await change(phone, site)
    await phone.store.sync()
    await store.sync()
    await isRefused(t, site)
  })
}

t.test('an estimate is not removed if another device changed the same line or an amount without lines', async (t) => {
  const site = await measured(t)
  const { store, estimate, lines: [first, second] } = site
  const phone = await other(t, site)
  await store.generadores.update(first, { cantidad: '2' })
  await store.estimates.remove(estimate)
  await phone.store.generadores.update(phone.lines[0] as Id, { cantidad: '3' })
  await phone.store.sync()
  await store.sync()
  t.match(store.conflicts, [{ id: first, fields: { cantidad: { mine: '2', theirs: '3.0000' } } }])
  await store.conflicts[0]?.keepTheirs()
  for (const line of [first, second]) await store.generadores.remove(line)
  await store.sync()
  await phone.store.sync()
  await store.movimientos.create({ estimate, tipo: 'pena', motivo: 'x', antes_iva: true, importe: '1.00' })
  await store.estimates.remove(estimate)
  await phone.store.estimates.update(phone.estimate, { monto: '500.00' })
  await phone.store.sync()
  await store.sync()
  await isRefused(t, site)
})

t.test('an estimate is not removed after an own change of it if another device changed it before', async (t) => {
  for (const isSent of [false, true]) {
    const site = await measured(t)
    const { store, network, contract, estimate } = site
    const { store: theirs, ...phone } = await other(t, site)
    await theirs.generadores.create({ estimate: phone.estimate, concepto: phone.concepto, cantidad: '1' })
    await theirs.sync()
    await store.estimates.update(estimate, { descripcion: 'mayo' })
    await store.contracts.update(contract, { descripcion: 'obra' })
    network.answer = ({ url }) => isSent && url.includes('changes') ? Response.error() : undefined
    if (isSent) await t.rejects(store.sync())
    network.answer = undefined
    await store.estimates.remove(estimate)
    await store.sync()
    await isRefused(t, site)
  }
})

t.test('without movements in the copy, the removal expects the version that the user saw', async (t) => {
  const site = await measured(t, ['generadores'])
  const { store, estimate, lines: [line] } = site
  await store.generadores.update(line, { cantidad: '2' })
  await store.estimates.remove(estimate)
  await store.sync()
  await isRefused(t, site)
})
