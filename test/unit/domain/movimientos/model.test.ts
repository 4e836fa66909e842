import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { wrongSums } from '../../../support/wrong-sums.ts'
import type { Movement, Terms } from '../../../support/estimate-amounts.ts'
import { decimal } from '../../../support/exact.ts'
import type { Outcome } from '../outcome.ts'
import { Model, type Estimate } from './model.ts'
import { moving } from './moving.ts'

const percent = fc.oneof(fc.constant(0n), fc.bigInt(0n, 3_000n))
const terms: fc.Arbitrary<Terms> = fc.record({ anticipo: percent, retencion: percent, iva: fc.constantFrom(1_600n, 0n, 800n), derechos: fc.constantFrom(0n, 50n, 133n), isBeforeTax: fc.boolean() })

const part = fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, 40_000n))
const percentage = fc.oneof(fc.constantFrom(1_250_000n, 66_666_667n, 10_000_000n), fc.bigInt(1n, 40_000_000n))
/** A movement: mostly charges after tax, of kinds that random returns find again. */
const movement = fc.record({
  tipo: fc.constantFrom('pena', 'fondo_garantia', 'fondo_garantia'),
  sentido: fc.constantFrom('cargo' as const, 'abono' as const),
  antes_iva: fc.boolean(),
  importe: part,
  porcentaje: percentage,
  isPart: fc.boolean(),
  base: fc.constantFrom('monto' as const, 'subtotal' as const, 'iva' as const)
}).map(({ isPart, importe, porcentaje, base, ...fields }): Omit<Movement, 'id'> => ({
  ...fields, importe: isPart ? null : importe, porcentaje: isPart ? porcentaje : null, base: isPart && !fields.antes_iva ? base : 'monto'
}))
const which = fc.nat(2)
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('add' as const), which, movement }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replace' as const), which, movement, place: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), which, place: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), which, monto: fc.bigInt(0n, 120_000n) }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('move' as const), which, estado: fc.constantFrom<string[]>('enviada', 'autorizada', 'autorizada', 'borrador') }) }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const charge = (fields: Partial<Movement> = {}): Omit<Movement, 'id'> => ({ tipo: 'pena', sentido: 'cargo', antes_iva: false, importe: 500n, porcentaje: null, base: 'monto', ...fields })
const to = (which: number, ...states: string[]): Step[] => states.map(estado => ({ do: 'move', which, estado }))
/** A charge that is taken, returned in part by a percentage, an undo, and an amount that is too small for an estimate that is sent. */
const example: Step[] = [
  { do: 'add', which: 0, movement: charge() },
  { do: 'add', which: 1, movement: charge({ sentido: 'abono' }) },
  ...to(0, 'enviada', 'autorizada'),
  { do: 'add', which: 1, movement: charge({ sentido: 'abono', importe: 501n }) },
  { do: 'add', which: 1, movement: charge({ sentido: 'abono', importe: null, porcentaje: 1_000_000n, base: 'subtotal' }) },
  { do: 'replace', which: 1, place: 0, movement: charge({ sentido: 'abono', importe: 300n }) },
  ...to(1, 'enviada', 'autorizada'), ...to(0, 'enviada'), ...to(1, 'enviada', 'borrador'),
  { do: 'edit', which: 1, monto: 90_000n },
  { do: 'add', which: 0, movement: charge() },
  { do: 'remove', which: 1, place: 0 },
  { do: 'add', which: 2, movement: charge() }, ...to(2, 'enviada'),
  { do: 'edit', which: 2, monto: 1n }
]
const usual: Terms = { anticipo: 1_000n, retencion: 500n, iva: 1_600n, derechos: 50n, isBeforeTax: false }

const shownFields = ['monto', 'amortizacion', 'retencion', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva', 'neto'] as const
const bodyOf = ({ importe, porcentaje, ...fields }: Omit<Movement, 'id'>) => ({
  ...fields, motivo: 'Azar', importe: importe === null ? null : decimal(importe), porcentaje: porcentaje === null ? null : decimal(porcentaje, 6)
})

t.test('after any movements and changes of estado, amounts and refusals are those of a model', async (t) => {
  const { director, contract, estimate, psql } = await moving(t)
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(terms, fc.array(step, { minLength: 15, maxLength: 30 }), async (terms, steps) => {
    const { anticipo, retencion, iva, derechos, isBeforeTax } = terms
    const of = await contract({
      monto: '2000', anticipo_porcentaje: decimal(anticipo), retencion_porcentaje: decimal(retencion), iva_porcentaje: decimal(iva), derechos_porcentaje: decimal(derechos), retencion_antes_iva: isBeforeTax
    })
    const model = new Model(200_000n, terms)
    for (const monto of [100_000n, 80_000n, 33_333n]) model.estimates.push({ id: (await estimate(of, { monto: decimal(monto) }))['id'], monto, estado: 'borrador', movements: [], order: 0 })

    for (const one of steps) {
      const estimate = model.estimates[one.which] as Estimate
      const existing = 'place' in one ? estimate.movements[one.place % Math.max(1, estimate.movements.length)] : undefined
      if ('place' in one && existing === undefined) continue
      let expected: Outcome
      let response
      if (one.do === 'add') {
        const added = { ...one.movement, id: -1 }
        expected = model.write(estimate, added)
        response = await director.post('movimientos/', { estimate: estimate.id, ...bodyOf(one.movement) })
        if (expected.status === 201) estimate.movements.push({ ...added, id: response.json().id })
      } else if (one.do === 'replace') {
        const replaced = { ...one.movement, id: existing?.id ?? 0 }
        // The stored amount of a percentage is not null once it is authorized.
        const isSame = isDeepStrictEqual(replaced, existing) && (replaced.porcentaje === null || estimate.settled === undefined)
        expected = isSame ? { status: 201, wrong: [] } : model.write(estimate, replaced)
        response = await director.send('PATCH', `movimientos/${existing?.id}/`, bodyOf(one.movement))
        if (expected.status === 201) {
          estimate.movements = estimate.movements.map(movement => movement.id === replaced.id ? replaced : movement)
          expected = { status: 200, wrong: [] }
        }
      } else if (one.do === 'remove') {
        expected = { status: estimate.estado === 'borrador' ? 204 : 409, wrong: [] }
        response = await director.send('DELETE', `movimientos/${existing?.id}/`)
        if (expected.status === 204) estimate.movements = estimate.movements.filter(({ id }) => id !== existing?.id)
      } else if (one.do === 'edit') {
        expected = model.edit(estimate, one.monto)
        response = await director.send('PATCH', `estimates/${estimate.id}/`, { monto: decimal(one.monto) })
      } else {
        expected = model.move(estimate, one.estado)
        response = await director.send('PATCH', `estimates/${estimate.id}/`, { estado: one.estado })
      }
      const wrong = response.statusCode === 400 ? Object.keys(response.json().errors).sort() : []
      const story = `${JSON.stringify(one, (_, value) => typeof value === 'bigint' ? String(value) : value)} of ${estimate.id}: ${response.statusCode} ${response.body}`
      if (response.statusCode !== expected.status || wrong.join() !== expected.wrong.join()) throw new Error(`${story}\nexpected ${JSON.stringify(expected)}`)
      const name = `${one.do} ${expected.status} ${wrong.join(' ')}`.trim()
      seen.set(name, (seen.get(name) ?? 0) + 1)

      const shown = (await director.get(`estimates/?contract=${of}&ordering=numero`)).json().results
      const found = shown.map((record: Record<string, string>) => [record['estado'], ...shownFields.map(field => record[field])].join(' '))
      const wanted = model.estimates.map((one) => {
        const amounts = { ...model.amounts(one), monto: one.monto }
        return [one.estado, ...shownFields.map(field => decimal(amounts[field]))].join(' ')
      })
      if (found.join() !== wanted.join()) throw new Error(`${story}\n${found.join('\n')}\n${wanted.join('\n')}`)
      const moved = (await director.get(`movimientos/?contract=${of}&page_size=200&ordering=id`)).json().results.map(({ id, importe }: { id: number, importe: string }) => `${id} ${importe}`)
      const due = model.estimates.flatMap(one => [...model.amounts(one).movements]).sort(([a], [b]) => a - b).map(([id, amount]) => `${id} ${decimal(amount)}`)
      if (moved.join() !== due.join()) throw new Error(`${story}\n${moved.join()}\n${due.join()}`)
    }
  }), { numRuns: 25, endOnFailure: true, examples: [[usual, example]] })

  t.same(await wrongSums(psql), [])
  t.comment(JSON.stringify([...seen]))
  for (const name of ['add 201', 'add 400 importe', 'add 409', 'replace 200', 'remove 204', 'edit 200', 'edit 409', 'move 200', 'move 400 estado']) t.ok(seen.has(name), `${name} among ${[...seen.keys()].join(', ')}`)
})
