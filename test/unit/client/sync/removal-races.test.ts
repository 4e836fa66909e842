import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createObraClient } from 'obra/client'
import type { Id } from 'obra/client/sync'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { listen } from '../server.ts'
import { synced } from './phone.ts'

const server = await listen(t)
const others = createObraClient({ baseUrl: server.origin, email: 'director@demo.example', password: demoPassword })
let made = 0

/** Edits of a phone. Numbers choose a line. */
const own = fc.oneof(
  fc.constant({ kind: 'add a line' as const, line: 0 }),
  fc.record({ kind: fc.constantFrom('change a line' as const, 'remove a line' as const), line: fc.nat({ max: 2 }) }),
  fc.constantFrom({ kind: 'add a movement' as const, line: 0 }, { kind: 'change the estimate' as const, line: 0 }, { kind: 'change the price' as const, line: 0 }))
/** Writes of another user, each before a request of the phone. */
const other = fc.record({
  before: fc.nat({ max: 4 }),
  kind: fc.constantFrom('add a line' as const, 'change a line' as const, 'remove a line' as const, 'add a movement' as const, 'change the estimate' as const),
  line: fc.nat({ max: 2 })
})
const race = fc.record({
  first: fc.array(own, { maxLength: 2 }),
  edits: fc.array(own, { minLength: 1, maxLength: 6 }),
  writes: fc.array(other, { maxLength: 2 }),
  lost: fc.option(fc.nat({ max: 6 }), { nil: undefined })
})
const movement = { tipo: 'pena', motivo: 'x', antes_iva: false, importe: '1.00' } as const

type Race = typeof race extends fc.Arbitrary<infer R> ? R : never

/** The phone edits an estimate and removes it, and another user writes meanwhile. @returns whether the estimate is removed, and the writes */
async function run (t: Test, { first, edits, writes, lost }: Race): Promise<{ isRemoved: boolean, accepted: number }> {
  const { store, network } = await synced(t, server, { resources: ['generadores', 'movimientos'] })
  const { id: contract } = await store.contracts.create({ folio: `RACE-${++made}` })
  const { id: concepto } = await store.conceptos.create({ contract, clave: 'A', unidad: 'm', cantidad: '10', precio_unitario: '5' })
  const { id: estimate } = await store.estimates.create({ contract })
  const ids: Id[] = []
  for (const cantidad of ['1', '2', '3']) ids.push((await store.generadores.create({ estimate, concepto, cantidad })).id)
  await store.sync()

  const find = async (path: string) => (await server.psql(`select id from ${path} where contract_id = (select id from contracts where folio = $1) order by id`, [`RACE-${made}`])).map(({ id }) => id as number)
  const [onServer] = await find('estimates') as [number]
  const lines = await find('generadores')
  const [concept] = await find('conceptos') as [number]
  const write = async ({ kind, line }: (typeof writes)[number]) => {
    const params = { path: { id: lines[line] as number } }
    // Both users remove it.
    if (kind === 'remove a line' && removed.has(line)) return
    switch (kind) {
      case 'add a line': return await others.POST('/api/v1/generadores/', { body: { estimate: onServer, concepto: concept, cantidad: '7' } })
      case 'change a line': return await others.PATCH('/api/v1/generadores/{id}/', { params, body: { observaciones: 'theirs' } })
      case 'remove a line': return await others.DELETE('/api/v1/generadores/{id}/', { params })
      case 'add a movement': return await others.POST('/api/v1/movimientos/', { body: { estimate: onServer, ...movement } })
      case 'change the estimate': return await others.PATCH('/api/v1/estimates/{id}/', { params: { path: { id: onServer } }, body: { deductivas: '1.00' } })
    }
  }
  let [value, accepted, requests] = [10, 0, 0]
  const removed = new Set<number>()
  const make = async ({ kind, line }: (typeof edits)[number]) => {
    value += 1
    const [shown] = (await store.generadores.list({ estimate })).slice(line)
    switch (kind) {
      case 'add a line': return await store.generadores.create({ estimate, concepto, cantidad: String(value) })
      case 'change a line': return shown && await store.generadores.update(shown.id, { cantidad: `${value}.0000` })
      case 'remove a line':
        if (shown !== undefined) removed.add(ids.indexOf(shown.id))
        return shown && await store.generadores.remove(shown.id)
      case 'add a movement': return await store.movimientos.create({ estimate, ...movement })
      case 'change the estimate': return await store.estimates.update(estimate, { descripcion: ` ${value} `, deductivas: String(value / 2) })
      case 'change the price': return await store.conceptos.update(concepto as Id, { precio_unitario: String(value) })
    }
  }
  for (const edit of first) await make(edit)
  await store.sync()
  for (const edit of edits) await make(edit)
  await store.estimates.remove(estimate)
  network.answer = async (request) => {
    const number = requests++
    for (const one of writes.filter(({ before }) => before === number)) if ((await write(one))?.response.ok === true) accepted += 1
    if (number !== lost) return undefined
    await fetch(request)
    throw new TypeError('fetch failed')
  }
  for (let attempt = 0; attempt < 3 && (attempt === 0 || store.status.pending > 0); attempt++) await store.sync().catch(() => {})
  t.equal(store.status.pending, 0, 'the queue is empty')
  const isRemoved = (await find('estimates')).length === 0
  await store.close()
  return { isRemoved, accepted }
}

t.test('an estimate is removed after own edits if and only if no other user has written to it meanwhile', async (t) => {
  const counts = { removed: 0, kept: 0 }
  await fc.assert(fc.asyncProperty(race, async (one) => {
    await server.psql('delete from devices')
    const { isRemoved, accepted } = await run(t, one)
    counts[isRemoved ? 'removed' : 'kept'] += 1
    if (isRemoved !== (accepted === 0)) throw new Error(`removed: ${isRemoved}, writes: ${accepted}`)
  }), { numRuns: Number(process.env['RACES'] ?? 30), endOnFailure: true })
  t.ok(counts.removed > 0 && counts.kept > 0, JSON.stringify(counts))
})
