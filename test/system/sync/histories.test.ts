import fc from 'fast-check'
import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { randomFrom } from '../../support/trial/random.ts'
import { listen } from '../../unit/client/server.ts'
import { phone } from '../../unit/client/sync/phone.ts'
import { Mistaken, type Act } from './mistakes.ts'
import { connected, interrupt } from './connected.ts'
import { numbered, offline, online, recordsOf } from './history.ts'

const server = await listen(t)
let runs = 0

const name = fc.constantFrom('A', 'B', 'C', 'D')
const money = fc.constantFrom('0', '50', '100.00', '300', '1000')
const day = fc.constantFrom('2026-01-01', '2026-01-10', '2026-01-11', '2026-01-20', '2026-01-21', '2026-01-31')
const text = fc.constantFrom('', 'uno', 'dos')
const period = fc.record({ periodo_inicio: day, periodo_fin: day })
const before = fc.integer({ min: 0, max: 8 })

const contract = fc.oneof(
  fc.record({ monto: money }), fc.record({ folio: name }), fc.record({ descripcion: text }), fc.record({ fecha_inicio: day, fecha_fin: day }), fc.record({ fecha_fin: day }),
  fc.record({ parent: fc.option(before) }), fc.record({ contraparte: fc.option(before) }), fc.record({ anticipo_porcentaje: fc.constantFrom('0', '10', '50') }),
  fc.record({ estado: fc.constantFrom('vigente', 'suspendido', 'terminado', 'cancelado') }), fc.record({ monto: money, estado: fc.constantFrom('vigente', 'suspendido') }))
const estimate = fc.oneof(
  fc.record({ monto: money }), fc.record({ deductivas: fc.constantFrom('0', '10') }), fc.record({ descripcion: text }), period, fc.record({ periodo_fin: day }),
  { weight: 5, arbitrary: fc.record({ estado: fc.constantFrom('borrador', 'enviada', 'enviada', 'autorizada', 'autorizada', 'pagada', 'cancelada') }) },
  fc.record({ estado: fc.constant('rechazada'), motivo_rechazo: fc.constantFrom('falta', 'sobra') }))
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: fc.constant('update' as const), resource: fc.constant('contracts' as const), record: before, body: contract }) },
  { weight: 12, arbitrary: fc.record({ op: fc.constant('update' as const), resource: fc.constant('estimates' as const), record: before, body: estimate }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('update' as const), resource: fc.constant('contrapartes' as const), record: before, body: fc.oneof(fc.record({ nombre: name }), fc.record({ notas: text })) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), resource: fc.constantFrom('contracts' as const, 'estimates' as const, 'contrapartes' as const), record: before, body: fc.constant({}) }) })
const creation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant('create' as const), resource: fc.constant('contracts' as const), record: fc.constant(0), body: fc.record({ folio: name, monto: money }) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('create' as const), resource: fc.constant('estimates' as const), record: fc.constant(0), body: fc.oneof(fc.record({ contract: before, monto: money }), fc.record({ contract: before, periodo_inicio: day, periodo_fin: day })) }) },
  fc.record({ op: fc.constant('create' as const), resource: fc.constant('contrapartes' as const), record: fc.constant(0), body: fc.record({ nombre: name }) }))

/** Steps in which each number is a record of the right kind that was created before, if there is one. */
const history = fc.array(fc.oneof({ weight: 1, arbitrary: creation }, { weight: 3, arbitrary: step }), { minLength: 30, maxLength: 60, size: 'max' }).map(numbered)

t.test('edits made with interruptions lead to the records of the same edits made one by one with a connection', async (t) => {
  const send = await connected(server.origin)
  const first = await phone(t, server)
  await first.obra.GET('/api/v1/me/')
  let taken = 0
  await fc.assert(fc.asyncProperty(history, fc.integer(), async (steps, seed) => {
    const [one, two] = [`h${++runs}-`, `k${runs}-`]
    const valid = await online(send, one, steps)
    taken += valid.length
    const random = randomFrom(seed)
    const storage = memoryStorage()
    let device = await phone(t, server, { storage })
    await device.store.sync()
    let background: Promise<void> | undefined
    await offline(() => device.store, two, valid, async () => {
      const chance = random()
      if (chance < 0.1) background = interrupt(device, random)
      if (chance < 0.15 || chance > 0.97) await background
      if (chance > 0.97) {
        device = await phone(t, server, { storage })
        await device.obra.GET('/api/v1/me/')
      }
    })
    await background
    for (let attempt = 0; attempt < 5 && device.store.status.pending > 0; attempt++) await device.store.sync()
    const { store } = device
    const reports = [store.refused.map(({ resource, op, body, errors, detail }) => ({ resource, op, body, errors, detail })), store.conflicts.map(({ fields }) => fields), store.status.pending + store.status.waiting]
    if (JSON.stringify(reports) !== '[[],[],0]') throw new Error(`${JSON.stringify(reports)}\n${JSON.stringify(valid)}`)
    const [wanted, found] = [await recordsOf(server.psql, one), await recordsOf(server.psql, two)]
    if (!t.same(found, wanted, `run ${runs}`)) throw new Error(JSON.stringify(valid))
  }), { numRuns: 15, endOnFailure: true })
  t.ok(taken > 15 * 5, `${taken} edits`)
})

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('create' as const), resource: fc.constantFrom('contrapartes' as const, 'contracts' as const, 'estimates' as const), of: before, isWrong: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.oneof(
      fc.record({ resource: fc.constant('contracts' as const), field: fc.constant('contraparte'), value: before }),
      fc.record({ resource: fc.constantFrom('contracts' as const, 'estimates' as const), field: fc.constant('monto'), value: fc.constantFrom('5.00', '6.00', '7.00') }),
      fc.record({ resource: fc.constantFrom('contracts' as const, 'estimates' as const), field: fc.constant('descripcion'), value: text }),
      fc.record({ resource: fc.constant('contrapartes' as const), field: fc.constant('notas'), value: text })
    ).chain(one => fc.record({ which: before, isWrong: fc.boolean() }).map(rest => ({ act: 'update' as const, ...one, ...rest })))
  },
  fc.record({ act: fc.constant('send' as const), which: before }),
  { weight: 3, arbitrary: fc.record({ act: fc.constant('correct' as const), which: before }) },
  { weight: 3, arbitrary: fc.constant({ act: 'synchronize' as const }) })

t.test('edits that are refused at first lead to the values that the user has given last', async (t) => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 60, size: 'max' }), fc.integer(), async (acts, seed) => {
    const prefix = `m${++runs}-`
    const user = new Mistaken(prefix)
    const random = randomFrom(seed)
    // A user has up to 100.
    await server.psql('delete from devices')
    const device = await phone(t, server)
    const { store } = device
    await store.sync()
    let background: Promise<void> | undefined
    for (const one of acts) {
      if (one.act !== 'synchronize') {
        await user.take(one, store)
      } else {
        await background
        if (random() < 0.5) await store.sync()
        else background = interrupt(device, random)
      }
    }
    await background
    await store.sync()
    await user.correctAll(store)
    for (let attempt = 0; attempt < 5 && store.status.pending > 0; attempt++) await store.sync()
    const reports = [store.refused.map(({ resource, op, body, errors, detail }) => ({ resource, op, body, errors, detail })), store.conflicts.map(({ fields }) => fields), store.status.pending + store.status.waiting]
    if (JSON.stringify(reports) !== '[[],[],0]') throw new Error(JSON.stringify(reports))
    const found = {
      contrapartes: await server.psql('select nombre, notas from contrapartes where nombre like $1', [`${prefix}%`]),
      contracts: await server.psql('select c.folio, c.monto, c.descripcion, p.nombre as contraparte from contracts c left join contrapartes p on p.company_id = c.company_id and p.id = c.contraparte_id where c.folio like $1', [`${prefix}%`]),
      estimates: await server.psql('select c.folio as contract, e.monto, e.descripcion, e.estado from estimates e join contracts c on c.company_id = e.company_id and c.id = e.contract_id where c.folio like $1', [`${prefix}%`])
    }
    const wanted = {
      contrapartes: user.wanted('contrapartes', ['nombre', 'notas']),
      contracts: user.wanted('contracts', ['folio', 'monto', 'descripcion', 'contraparte']),
      estimates: user.wanted('estimates', ['contract', 'monto', 'descripcion', 'estado'])
    }
    const sorted = (all: typeof wanted) => Object.values(all).map(some => some.map(one => JSON.stringify(one)).sort())
    if (!t.strictSame(sorted(found), sorted(wanted), `run ${runs}`)) throw new Error('other records')
    await store.close()
  }), { numRuns: 25, endOnFailure: true })
})
