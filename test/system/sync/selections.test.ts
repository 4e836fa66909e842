import fc from 'fast-check'
import t from 'tap'
import { memoryStorage, type LocalRecord, type Resource } from 'obra/client/sync'
import { pick, randomFrom, type Random } from '../../support/trial/random.ts'
import { listen } from '../../unit/client/server.ts'
import { phone, synced, type Phone } from '../../unit/client/sync/phone.ts'
import { connected, interrupt } from './connected.ts'
import { numbered, offline, online, recordsOf, type Kind, type Step } from './history.ts'

const server = await listen(t)
const all = ['contrapartes', 'contracts', 'estimates', 'convenios', 'conceptos', 'generadores', 'movimientos', 'pagos'] as const
/** They bring all others. */
const resources = ['generadores', 'movimientos', 'pagos'] as const
let runs = 0

const number = fc.integer({ min: 0, max: 8 })
const text = fc.constantFrom('', 'uno', 'dos', 'tres')
const letter = fc.constantFrom('A', 'B', 'C', 'D')
const size = fc.constantFrom('1', '2.5', '10')

const creation = <R extends Kind>(weight: number, resource: R, body: fc.Arbitrary<Record<string, unknown>>) => (
  { weight, arbitrary: fc.record({ op: fc.constant('create' as const), resource: fc.constant(resource), record: fc.constant(0), body }) })
const update = <R extends Kind>(weight: number, resource: R, body: fc.Arbitrary<Record<string, unknown>>) => (
  { weight, arbitrary: fc.record({ op: fc.constant('update' as const), resource: fc.constant(resource), record: number, body }) })

/**
 * No step makes the service change a value that the user edits afterwards: such an edit is in conflict. Amounts without lines are 0, because
 * a line that is removed before it is sent leaves no trace.
 */
const step: fc.Arbitrary<Step> = fc.oneof(
  creation(1, 'contracts', fc.record({ folio: letter, monto: fc.constant('0') })),
  creation(2, 'convenios', fc.record({ contract: number })),
  creation(3, 'estimates', fc.record({ contract: number })),
  creation(5, 'conceptos', fc.record({ contract: number, clave: letter, unidad: fc.constant('m'), cantidad: fc.constant('1000'), precio_unitario: fc.constantFrom('1', '2.345678') })),
  creation(1, 'conceptos', fc.record({ contract: number, convenio: number, clave: letter, unidad: fc.constant('m'), cantidad: size, precio_unitario: fc.constantFrom('1', '2.345678') })),
  creation(4, 'generadores', fc.record({ estimate: number, concepto: number, cantidad: size })),
  creation(4, 'generadores', fc.record({ estimate: number, concepto: number, piezas: size, largo: size })),
  creation(3, 'movimientos', fc.record({ estimate: number, tipo: fc.constant('pena'), motivo: fc.constantFrom('uno', 'dos'), antes_iva: fc.boolean(), importe: fc.constantFrom('0.01', '0.02') })),
  creation(4, 'pagos', fc.record({ estimate: number, importe: fc.constantFrom('1', '2'), fecha: fc.constant('2026-03-01'), referencia: text })),
  update(1, 'contracts', fc.record({ descripcion: text })),
  update(1, 'convenios', fc.record({ descripcion: text })),
  update(6, 'estimates', fc.record({ estado: fc.constantFrom('enviada', 'autorizada') })),
  update(1, 'conceptos', fc.oneof(fc.record({ descripcion: text }), fc.record({ cantidad: fc.constantFrom('900', '1100') }))),
  update(2, 'generadores', fc.oneof(fc.record({ observaciones: text }), fc.record({ largo: size }))),
  update(1, 'movimientos', fc.record({ motivo: fc.constantFrom('uno', 'dos') })),
  update(1, 'pagos', fc.record({ referencia: text })),
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete' as const), resource: fc.constantFrom('generadores' as const, 'movimientos' as const, 'conceptos' as const, 'pagos' as const, 'estimates' as const), record: number, body: fc.constant({}) }) })
/** An estimate that is paid in part, and a draft with a line. */
const start: Step[] = [
  ['create', 'contracts', { folio: 'E', monto: '0' }],
  ['create', 'conceptos', { contract: 0, clave: 'A', unidad: 'm', cantidad: '1000', precio_unitario: '1' }],
  ['create', 'estimates', { contract: 0 }],
  ['create', 'generadores', { estimate: 0, concepto: 0, cantidad: '10' }],
  ['update', 'estimates', { estado: 'enviada' }],
  ['update', 'estimates', { estado: 'autorizada' }],
  ['create', 'pagos', { estimate: 0, importe: '2', fecha: '2026-03-01' }],
  ['create', 'estimates', { contract: 0 }],
  ['create', 'generadores', { estimate: 1, concepto: 0, piezas: '3', largo: '2.5' }],
  ['create', 'movimientos', { estimate: 1, tipo: 'pena', motivo: 'uno', antes_iva: false, importe: '0.01' }]
].map(([op, resource, body]) => ({ op, resource, record: 0, body }) as Step)
const history = fc.array(step, { minLength: 20, maxLength: 50, size: 'max' }).map(steps => numbered([...start, ...steps]))

const reportsOf = ({ store }: Phone) => [store.refused.map(({ resource, op, body, errors, detail }) => ({ resource, op, body, errors, detail })), store.conflicts.map(({ fields }) => fields), store.status.pending + store.status.waiting]

async function settle ({ store }: Phone): Promise<void> {
  for (let attempt = 0; attempt < 5 && (attempt === 0 || store.status.pending > 0); attempt++) await store.sync()
}

t.test('edits of catalogues, measurements, movements and payments lead offline to the records that they lead to with a connection', async (t) => {
  const send = await connected(server.origin)
  const taken: Record<string, number> = {}
  await fc.assert(fc.asyncProperty(history, fc.integer(), async (steps, seed) => {
    const [one, two] = [`s${++runs}-`, `u${runs}-`]
    const valid = await online(send, one, steps)
    for (const { op, resource } of valid) taken[`${op} ${resource}`] = (taken[`${op} ${resource}`] ?? 0) + 1
    const random = randomFrom(seed)
    const device = await synced(t, server, { resources })
    let background: Promise<void> | undefined
    await offline(() => device.store, two, valid, async () => {
      const chance = random()
      if (chance < 0.1) background = interrupt(device, random)
      if (chance < 0.15) await background
    })
    await background
    await settle(device)
    const reports = JSON.stringify(reportsOf(device))
    if (reports !== '[[],[],0]') throw new Error(`${reports}\n${JSON.stringify(valid)}`)
    const [wanted, found] = [await recordsOf(server.psql, one), await recordsOf(server.psql, two)]
    if (!t.same(found, wanted, `run ${runs}`)) throw new Error(JSON.stringify(valid))
    await device.store.close()
  }), { numRuns: 12, endOnFailure: true })
  t.comment(JSON.stringify(taken))
  for (const kind of ['create conceptos', 'create generadores', 'create movimientos', 'create pagos', 'update generadores']) t.ok((taken[kind] ?? 0) > 0, kind)
})

t.test('a store of some contracts shows what a full store shows of them, after any selections, and loses no edit', async (t) => {
  const send = await connected(server.origin)
  let made = 0
  await fc.assert(fc.asyncProperty(history, fc.integer(), async (steps, seed) => {
    const prefix = `v${++runs}-`
    const random = randomFrom(seed)
    // A user has up to 100.
    await server.psql('delete from devices')
    const storage = memoryStorage()
    let some = await synced(t, server, { storage, contracts: [1] })
    let selected = [1]
    /** Names of records that the phone has created. */
    const names: string[] = []
    const others = online(send, prefix, steps)
    for (let turn = 0; turn < 30; turn++) {
      const chance = random()
      if (chance < 0.2) {
        const known = (await server.psql('select id from contracts where folio like $1 order by id', [`${prefix}%`])).map(({ id }) => id as number)
        selected = known.filter(() => random() < 0.5).concat(1)
        some = await phone(t, server, { storage, resources, contracts: selected })
        await some.obra.GET('/api/v1/me/')
      } else if (chance < 0.5) {
        await edit(some, random, `${prefix}e`, names)
      } else if (chance < 0.7) {
        await interrupt(some, random)
      } else {
        await some.store.sync().catch(() => {})
      }
    }
    await others
    some = await synced(t, server, { storage, resources, contracts: selected })
    await settle(some)
    // What is refused or in conflict is still here. The app gives it up.
    const reported = some.store.refused.flatMap(({ body }) => body['external_id'] as string | undefined ?? [])
    for (let attempt = 0; attempt < 20 && some.store.refused.length + some.store.conflicts.length > 0; attempt++) {
      await some.store.conflicts[0]?.keepTheirs()
      await some.store.refused[0]?.discard()
    }
    await settle(some)
    const full = await synced(t, server, { resources })
    const [found, wanted] = [await shownBy(some), await shownBy(full, selected)]
    if (JSON.stringify(reportsOf(some)) !== '[[],[],0]') throw new Error(JSON.stringify(reportsOf(some)))
    if (!t.same(found, wanted, `run ${runs}`)) throw new Error(JSON.stringify(selected))
    for (const name of names) {
      const counts = await Promise.all(['contracts', 'estimates', 'generadores'].map(async table => (await server.psql(`select from ${table} where external_id = $1`, [name])).length))
      const times = counts.reduce((sum, count) => sum + count, 0)
      if (times !== (reported.includes(name) ? 0 : 1)) throw new Error(`${name} is ${times} times on the server, ${reported.includes(name) ? '' : 'not '}reported`)
    }
    made += names.length
    const left = await storage.transaction('read', async ({ list }) => (await list('store/')).filter(([key]) => key.includes('/edit/')))
    t.strictSame(left, [], 'no edit stays')
    await Promise.all([some.store.close(), full.store.close()])
  }), { numRuns: 10, endOnFailure: true })
  t.ok(made > 20, `${made} records`)
})

/** Edits a record of the phone, or creates one, perhaps of a contract that is not selected. */
async function edit ({ store }: Phone, random: Random, prefix: string, names: string[]): Promise<void> {
  const name = `${prefix}${names.length}-${Math.floor(random() * 1e9)}`
  const contracts = await store.contracts.list()
  const estimates = (await store.estimates.list({ estado: 'borrador' }))
  const chance = random()
  if (chance < 0.2) {
    await store.contracts.create({ folio: name, external_id: name })
  } else if (chance < 0.5 && contracts.length > 0) {
    const { id } = random() < 0.3 ? { id: 2 } : pick(contracts, random)
    await store.estimates.create({ contract: id, external_id: name })
  } else if (chance < 0.8 && estimates.length > 0) {
    const estimate = pick(estimates, random)
    // Before the first copy with this resource, there are none.
    const conceptos = await store.conceptos.list({ contract: estimate.contract })
    if (conceptos.length === 0) return
    await store.generadores.create({ estimate: estimate.id, concepto: pick(conceptos, random).id, cantidad: '1', external_id: name })
  } else {
    if (estimates.length > 0) await store.estimates.update(pick(estimates, random).id, { descripcion: name })
    return
  }
  names.push(name)
}

type Values = Record<string, unknown>

/** The records that a store shows, of some contracts, with names in place of ids of the phone. */
async function shownBy ({ store }: Phone, contracts?: number[]): Promise<Record<string, Values[]>> {
  const lists = new Map<Resource, Array<LocalRecord<Resource> & Values>>()
  for (const name of all) lists.set(name, await store[name].list())
  const nameOf = (resource: Resource, id: unknown) => {
    const record = lists.get(resource)?.find(record => record.id === id)
    return record?.['external_id'] ?? id
  }
  const isOf = (resource: Resource, record: Values) => contracts === undefined || resource === 'contrapartes' || contracts.includes((resource === 'contracts' ? record['id'] : record['contract']) as number)
  const fields = { contract: 'contracts', estimate: 'estimates', concepto: 'conceptos', convenio: 'convenios', contraparte_id: 'contrapartes' } as const
  return Object.fromEntries(all.map((resource) => {
    const shown = (lists.get(resource) ?? []).filter(record => isOf(resource, record)).map((record) => {
      const named = Object.entries(fields).filter(([field]) => field in record).map(([field, other]) => [field, nameOf(other, record[field])])
      return { ...record, id: nameOf(resource, record.id), ...Object.fromEntries(named) }
    })
    return [resource, shown.sort((one, other) => String(one['created_at']) + String(one.id) < String(other['created_at']) + String(other.id) ? -1 : 1)]
  }))
}
