import fc from 'fast-check'
import t from 'tap'
import { agreeing, convenioStates } from '../../../support/agreeing.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { decimal } from '../../../support/exact.ts'
import type { Outcome } from '../outcome.ts'
import { Model } from './model.ts'

const cents = fc.oneof(fc.bigInt(-120_000n, 120_000n), fc.constantFrom(0n, 1n, -1n, 100_000n, -100_000n))
const days = fc.oneof(fc.constant(0), fc.integer({ min: -120, max: 120 }))
const step = fc.record({
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('create' as const, 'bill' as const) },
    { weight: 9, arbitrary: fc.constant('onward' as const) },
    { weight: 5, arbitrary: fc.constant('authorize' as const) },
    { weight: 4, arbitrary: fc.constantFrom('move' as const, 'undo' as const, 'amend' as const) },
    { weight: 2, arbitrary: fc.constantFrom('edit' as const, 'remove' as const) }
  ),
  which: fc.nat(9),
  estado: fc.constantFrom(...convenioStates),
  cents,
  days,
  conAnticipo: fc.boolean()
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const act = (what: Step['what'], rest: Partial<Step> = {}): Step => ({ what, which: 0, estado: 'borrador', cents: 0n, days: 0, conAnticipo: false, ...rest })
/** Refusals that random steps can lack: a signature below what is authorized, one before the start, and an edit of what was signed. */
const example: Step[] = [
  act('create', { cents: -60_000n }), act('onward'), act('onward'), act('bill', { cents: 70_000n }), act('authorize'), act('onward'),
  act('bill', { cents: 50_000n }), act('authorize', { which: 1 }), act('amend', { cents: 90_000n, days: 1 }),
  act('create', { days: -120 }), ...[1, 2, 3].map(() => act('onward', { which: 1 })),
  act('create', { cents: 10_000n }), ...[1, 2, 3].map(() => act('onward', { which: 2 })), act('amend', { cents: 95_000n, days: 1 })
]

const next: Record<string, string> = { borrador: 'enviado', enviado: 'autorizado', autorizado: 'firmado', rechazado: 'borrador' }
const needed = { fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04', motivo_rechazo: 'No' }
const firstDay = Date.UTC(2026, 0, 1)
const day = (number: number | null) => number === null ? null : new Date(firstDay + number * 86_400_000).toISOString().slice(0, 10)

t.test('after any operations on change orders and estimates, the contract and all of them match the model', async (t) => {
  const { director, contract, get, psql } = await agreeing(t)
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(fc.bigInt(0n, 150_000n), fc.option(fc.integer({ min: 0, max: 200 })), fc.constantFrom(0n, 3_000n, 10_000n), fc.array(step, { minLength: 20, maxLength: 28 }), async (monto, end, anticipo, steps) => {
    const model = new Model(monto, end, anticipo)
    const id = await contract({ monto: decimal(monto), fecha_inicio: day(0), fecha_fin: day(end), anticipo_porcentaje: decimal(anticipo), iva_porcentaje: '0' })
    const [convenios, estimates]: [number[], number[]] = [[], []]

    for (const { what, which, estado, cents, days, conAnticipo } of steps) {
      const convenio = model.convenios[which % Math.max(1, model.convenios.length)]
      const estimate = model.estimates[which % Math.max(1, model.estimates.length)]
      const amounts = { monto: decimal(cents), dias: days, con_anticipo: conAnticipo }
      const url = convenio === undefined ? '' : `convenios/${convenios[convenio.numero - 1]}/`
      const bill = estimate === undefined ? '' : `estimates/${estimates[model.estimates.indexOf(estimate)]}/`
      let expected: Outcome
      let request: [method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object]
      if (what === 'amend') {
        const to = cents < 0n ? -cents : cents
        request = ['PATCH', `contracts/${id}/`, { monto: decimal(to), fecha_fin: day(model.end === null ? null : Math.max(-1, model.end + days)) }]
        expected = model.amend(to, model.end === null ? null : Math.max(-1, model.end + days))
      } else if (what === 'bill' || (estimate === undefined && (what === 'authorize' || what === 'undo'))) {
        request = ['POST', 'estimates/', { contract: id, monto: decimal(cents < 0n ? -cents / 4n : cents) }]
        expected = model.bill(cents < 0n ? -cents / 4n : cents)
      } else if (what === 'authorize' && estimate !== undefined) {
        if (estimate.fixed === undefined) await director.send('PATCH', bill, { estado: 'enviada' })
        request = ['PATCH', bill, { estado: 'autorizada' }]
        expected = model.authorize(estimate)
      } else if (what === 'undo' && estimate !== undefined) {
        if (estimate.fixed === undefined) continue
        request = ['PATCH', bill, { estado: 'enviada' }]
        expected = model.undo(estimate)
      } else if (what === 'create' || convenio === undefined) {
        request = ['POST', 'convenios/', { contract: id, ...amounts }]
        expected = model.create(cents, days, conAnticipo)
      } else if (what === 'edit') {
        request = ['PATCH', url, amounts]
        expected = model.edit(convenio, cents, days, conAnticipo)
      } else if (what === 'remove') {
        const last = which > 4 ? model.convenios.at(-1) ?? convenio : convenio
        request = ['DELETE', `convenios/${convenios[last.numero - 1]}/`]
        expected = model.remove(last)
      } else {
        const to = what === 'onward' ? next[convenio.estado] ?? estado : estado
        request = ['PATCH', url, { estado: to, ...needed }]
        expected = model.move(convenio, to)
      }

      const response = await director.send(...request)
      const wrong = response.statusCode === 400 ? Object.keys(response.json().errors).sort() : []
      // A change of state that is not in the table can have further problems.
      const isSame = response.statusCode === expected.status && (expected.wrong.join() === 'estado' ? wrong.includes('estado') : wrong.join() === expected.wrong.join())
      const story = () => `${JSON.stringify(request)} of ${JSON.stringify(model, (_, value) => typeof value === 'bigint' ? decimal(value) : value)}: ${response.body}`
      if (!isSame) throw new Error(`${story()}\nexpected ${JSON.stringify(expected)}`)
      const name = `${what} ${expected.status} ${expected.wrong.join(' ')}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
      if (expected.status === 201) (request[1] === 'convenios/' ? convenios : estimates).push(response.json().id)
      if (expected.status === 204) convenios.pop()

      const shown = await get(`contracts/${id}/`)
      const found = {
        contract: ['monto', 'monto_original', 'extra_autorizado', 'monto_estimado', 'por_estimar', 'fecha_fin', 'fecha_fin_original'].map(field => shown[field]),
        estimates: (await get(`estimates/?contract=${id}&ordering=numero&page_size=200`))['results'].map(({ amortizacion }: { amortizacion: string }) => amortizacion),
        convenios: await Promise.all(convenios.map(async (one) => {
          const shown = await get(`convenios/${one}/`)
          return ['numero', 'monto', 'dias', 'estado', 'porcentaje_monto', 'porcentaje_aumento', 'porcentaje_reduccion', 'porcentaje_dias', 'avisos'].map(field => shown[field])
        }))
      }
      const wanted = {
        contract: [model.monto, model.original, model.extra, model.authorized, model.monto - model.authorized].map(one => decimal(one)).concat(day(model.end) as string, day(model.originalEnd) as string),
        estimates: model.estimates.map(estimate => decimal(model.repayment(estimate))),
        convenios: model.convenios.map(convenio => [convenio.numero, decimal(convenio.monto), convenio.dias, convenio.estado, ...model.percentages(convenio)])
      }
      if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${story()}\n${JSON.stringify(found)}\n${JSON.stringify(wanted)}`)
      if (model.authorized > model.monto + model.extra) throw new Error('the model authorized more than the ceiling')
    }
    const wrong = await wrongSums(psql)
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
  }), { numRuns: 15, endOnFailure: true, examples: [[100_000n, 30, 3_000n, example]] })

  for (const name of ['create 201 ', 'onward 200 ', 'authorize 200 ', 'authorize 400 monto', 'amend 200 ', 'amend 400 fecha_fin monto', 'onward 400 dias', 'onward 400 monto']) t.ok(seen.has(name), `${name} among ${[...seen].join(', ')}`)
})
