import fc from 'fast-check'
import t from 'tap'
import { states, estimating } from '../../../support/estimating.ts'
import { decimal, share } from '../../../support/exact.ts'
import type { Outcome } from '../outcome.ts'
import { Model, type Percentages } from './model.ts'

const most = 10n ** 18n - 1n // 16 whole digits, in cents
const percentage = fc.oneof({ weight: 1, arbitrary: fc.constantFrom(0n, 10_000n) }, { weight: 3, arbitrary: fc.bigInt(0n, 10_000n) })
const percentages = fc.record({ anticipo: percentage, retencion: percentage, iva: percentage })
const amount = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, 10n ** 8n), fc.bigInt(most / 4n, most), fc.constant(most))
/** The amount of an estimate: hundredths of a percent of its contract and of itself, and some cents. */
const requested = fc.record({
  of: fc.bigInt(0n, 6_000n),
  cents: fc.bigInt(0n, 9n),
  less: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(0n, 7_000n) })
})
const step = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant('create' as const) },
    { weight: 10, arbitrary: fc.constant('onward' as const) },
    { weight: 4, arbitrary: fc.constantFrom('move' as const, 'amend' as const) },
    { weight: 3, arbitrary: fc.constantFrom('edit' as const, 'remove' as const) }
  ),
  which: fc.nat(9),
  requested,
  estado: fc.constantFrom(...states),
  /** The contract's new monto, relative to the current or the authorized amount. */
  amended: fc.oneof(fc.record({ of: fc.bigInt(0n, 20_000n), authorized: fc.boolean() }), amount),
  percentages
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const none: Percentages = { anticipo: 0n, retencion: 0n, iva: 0n }
/** A step with an estimate of a tenth of its contract, or with twice the contract's monto, unless other values are given. */
const example = (what: Step['what'], which = 0, of = 1_000n, amended: Step['amended'] = { of: 20_000n, authorized: false }, anticipo = 0n): Step =>
  ({ what, which, requested: { of, cents: 0n, less: 0n }, estado: 'pagada', amended, percentages: { ...none, anticipo } })
const create = (of: bigint) => example('create', 0, of)
const authorize = (which: number) => [example('onward', which), example('onward', which)]
const amend = (monto: bigint, anticipo: bigint) => example('amend', 0, 0n, monto, anticipo)
/** Contracts of 1000.00: the advance is used up; later amounts and percentages limit it; the last part of it is less than half a cent. */
const advances: Array<[monto: bigint, percentages: Percentages, steps: Step[]]> = [
  [100_000n, { ...none, anticipo: 3_000n }, [create(9_000n), ...authorize(0), create(1_000n), ...authorize(1), amend(110_000n, 3_000n), create(900n), amend(110_000n, 0n), create(900n)]],
  [100_000n, { ...none, anticipo: 1_000n }, [create(5_000n), create(4_000n), ...authorize(1), amend(60_000n, 1_000n), amend(200_000n, 9_900n), amend(200_000n, 100n), amend(200_000n, 300n), ...authorize(0), amend(90_000n, 1_000n)]],
  [100_000n, { ...none, anticipo: 3_000n }, [create(10_000n), amend(100_000n, 1_000n), amend(100_000n, 6_000n)]],
  [100_000n, { ...none, anticipo: 5_000n }, [create(0n), ...authorize(0), { ...create(9_000n), requested: { of: 9_000n, cents: 1n, less: 0n } }, ...authorize(1), create(999n)]]
]
/** Amounts of a sent estimate cannot change, even if its deductions would be too large. */
const sent: Step[] = [create(1_000n), example('onward'), { ...example('edit'), requested: { of: 2_000n, cents: 0n, less: 6_000n } }]
/** Random steps may lack one of the outcomes that must occur. */
const requiredSteps: Step[] = (['create', 'onward', 'move', 'amend'] as const).map(what => example(what))
const next: Record<string, string> = { borrador: 'enviada', enviada: 'autorizada', autorizada: 'pagada', rechazada: 'borrador' }

t.test('after any operations on a contract’s estimates, their amounts and sums match the model', async (t) => {
  const { director, contract } = await estimating(t)
  const written = ({ anticipo, retencion, iva }: Percentages) => ({
    anticipo_porcentaje: decimal(anticipo), retencion_porcentaje: decimal(retencion), iva_porcentaje: decimal(iva)
  })
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(amount, percentages, fc.array(step, { minLength: 15, maxLength: 20 }), async (monto, percents, steps) => {
    const model = new Model(monto, percents)
    const id = await contract({ monto: decimal(monto), ...written(percents) })
    let shown: Array<Record<string, unknown>> = []

    for (const { what, which, requested, estado, amended, percentages } of steps) {
      const estimate = what === 'remove' && which > 2 ? model.estimates.at(-1) : model.estimates[which % Math.max(1, model.estimates.length)]
      const url = estimate === undefined ? '' : `estimates/${shown[estimate.numero - 1]?.id}/`
      const [part, less] = [share(model.monto, requested.of) + requested.cents, (of: bigint) => share(of, requested.less)]
      const fields = { monto: decimal(part), deductivas: decimal(less(part)) }
      let expected: Outcome
      let request: [method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object]
      if (what === 'amend') {
        const monto = typeof amended === 'bigint' ? amended : share(amended.authorized ? model.authorized : model.monto, amended.of)
        if (monto > most) continue
        request = ['PATCH', `contracts/${id}/`, { monto: decimal(monto), ...written(percentages) }]
        expected = model.amend(monto, percentages)
      } else if (part > most) {
        continue
      } else if (what === 'create' || estimate === undefined) {
        request = ['POST', 'estimates/', { contract: id, ...fields }]
        expected = model.create(part, less(part))
      } else if (what === 'edit') {
        request = ['PATCH', url, fields]
        expected = model.edit(estimate, part, less(part))
      } else if (what === 'remove') {
        request = ['DELETE', url]
        expected = model.remove(estimate)
      } else {
        const to = what === 'onward' ? next[estimate.estado] ?? estado : estado
        request = ['PATCH', url, { estado: to, motivo_rechazo: 'No' }]
        expected = model.move(estimate, to)
      }

      const response = await director.send(...request)
      const got: Outcome = { status: response.statusCode, wrong: response.statusCode === 400 ? Object.keys(response.json().errors).sort() : [] }
      const story = `${JSON.stringify(request)} of ${JSON.stringify(estimate, (_, value) => typeof value === 'bigint' ? decimal(value) : value)}: ${response.body}`
      if (!isSame(got, expected)) throw new Error(`${story}\nexpected ${JSON.stringify(expected)}`)
      const name = `${what} ${got.status} ${got.wrong.join(' ')}`
      seen.set(name, (seen.get(name) ?? 0) + 1)

      shown = (await director.get(`estimates/?contract=${id}&ordering=numero&page_size=200`)).json().results
      const wanted = model.estimates.map(estimate => ({
        numero: estimate.numero,
        estado: estimate.estado,
        monto: decimal(estimate.monto),
        deductivas: decimal(estimate.deductivas),
        ...written(estimate.percentages),
        ...Object.fromEntries(Object.entries(model.amounts(estimate)).map(([name, cents]) => [name, decimal(cents)])),
        monto_acumulado: decimal(model.accumulated(estimate.numero))
      }))
      const same = shown.map((estimate, index) => Object.fromEntries(Object.keys(wanted[index] ?? {}).map(name => [name, estimate[name]])))
      if (!isSame(same, wanted)) throw new Error(`${story}\n${JSON.stringify(same)}\n${JSON.stringify(wanted)}`)
      const { monto_estimado: estimado, por_estimar: left } = (await director.get(`contracts/${id}/`)).json()
      if (!isSame([estimado, left], [decimal(model.authorized), decimal(model.monto - model.authorized)]) || left.startsWith('-')) throw new Error(`${story}\n${left}`)
      for (const { fixed } of model.estimates) if (fixed !== undefined && fixed.subtotal < 0n) throw new Error('the model authorized a negative amount')
    }
  }), { numRuns: 12, endOnFailure: true, examples: [[100_000n, none, requiredSteps], [100_000n, { ...none, anticipo: 5_000n }, sent], ...advances] })

  const happened = [...seen.keys()]
  for (const name of ['create 201 ', 'onward 200 ', 'amend 200 ', 'move 400 estado']) t.ok(seen.has(name), `${name} among ${happened.join(', ')}`)
})

function isSame (a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
