import fc from 'fast-check'
import t from 'tap'
import { estimating } from '../../../support/estimating.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import type { Terms } from '../../../support/estimate-amounts.ts'
import { decimal, sum } from '../../../support/exact.ts'
import type { Outcome } from '../outcome.ts'
import { Contract, type Draft } from './kinds-model.ts'

const percent = fc.oneof(fc.constant(0n), fc.bigInt(0n, 4_000n))
const terms: fc.Arbitrary<Terms> = fc.record({
  anticipo: percent, retencion: percent, iva: fc.constantFrom(1_600n, 0n), derechos: fc.constantFrom(0n, 50n), isBeforeTax: fc.boolean()
})
const amount = fc.oneof(fc.constant(0n), fc.bigInt(1n, 60_000n))
const tipo = fc.constantFrom('ordinaria' as const, 'ordinaria' as const, 'anticipo' as const, 'finiquito' as const)
/** Mostly a draft that its kind allows. */
const draft = fc.record({ tipo, monto: amount, anticipo: amount, deductivas: fc.constantFrom(0n, 0n, 0n, 500n), isLoose: fc.constantFrom(false, false, false, true) })
  .map(({ isLoose, ...fields }): Draft => isLoose
    ? fields
    : { ...fields, monto: fields.tipo === 'anticipo' ? 0n : fields.monto, anticipo: fields.tipo === 'anticipo' ? fields.anticipo + 1n : 0n })
const which = fc.nat(5)
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('create' as const), draft }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), which, monto: amount, anticipo: amount }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('move' as const), which, estado: fc.constantFrom<string[]>('enviada', 'enviada', 'autorizada', 'autorizada', 'rechazada', 'borrador', 'cancelada', 'pagada') }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const), which, part: fc.constantFrom(100n, 50n, 101n, -20n) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), which, amount: fc.bigInt(1n, 3_000n) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), estado: fc.constantFrom('vigente' as const, 'terminado' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('terms' as const), anticipo: percent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('order' as const), monto: fc.bigInt(1n, 20_000n) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('moveOrder' as const), which, estado: fc.constantFrom<string[]>('enviado', 'autorizado', 'firmado', 'cancelado', 'rechazado', 'borrador') }) }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const to = (which: number, ...states: string[]): Step[] => states.map(estado => ({ do: 'move', which, estado }))
/** A step, or an attempt to authorize a draft. */
const steps = fc.oneof({ weight: 5, arbitrary: step.map(one => [one]) }, { weight: 1, arbitrary: which.map(which => to(which, 'enviada', 'autorizada')) })
const make = (tipo: Draft['tipo'], monto: bigint, anticipo = 0n): Step => ({ do: 'create', draft: { tipo, monto, anticipo, deductivas: 0n } })
/** An advance in two parts, work, a change order, a settlement in favour of the client, its payment, and a later return of the fund. */
const example: Step[] = [
  make('anticipo', 0n, 20_000n), ...to(0, 'enviada', 'autorizada'), make('anticipo', 0n, 10_001n), ...to(1, 'enviada', 'autorizada', 'cancelada'),
  make('ordinaria', 30_000n), ...to(2, 'enviada', 'autorizada'), { do: 'order', monto: 10_000n },
  ...['enviado', 'autorizado'].map((estado): Step => ({ do: 'moveOrder', which: 0, estado })), make('finiquito', 1_000n), make('ordinaria', 1n),
  ...to(3, 'enviada', 'autorizada'), { do: 'moveOrder', which: 0, estado: 'firmado' }, ...to(3, 'autorizada', 'enviada'), ...to(2, 'enviada'),
  { do: 'pay', which: 3, part: -20n }, { do: 'pay', which: 3, part: 50n }, ...to(3, 'pagada'), { do: 'order', monto: 5n },
  make('finiquito', 5n), make('finiquito', 0n), { do: 'return', which: 4, amount: 500n }, ...to(4, 'enviada', 'autorizada'), { do: 'close', estado: 'vigente' }
]
/** Work that repays the agreed advance before a smaller one is documented, and a settlement that gives the difference back. */
const overpaid: Step[] = [
  make('ordinaria', 70_000n), ...to(0, 'enviada', 'autorizada'), make('anticipo', 0n, 12_000n), ...to(1, 'enviada', 'autorizada'),
  make('ordinaria', 30_000n), ...to(2, 'enviada', 'rechazada'), make('finiquito', 0n), ...to(3, 'enviada', 'autorizada'), { do: 'terms', anticipo: 1_000n }
]
/** As before, up to the warnings. */
const warned: Step[] = overpaid.slice(0, -3)
/** A sent estimate whose amount would become less than its deductions. */
const reduced: Step[] = [
  { do: 'create', draft: { tipo: 'ordinaria', monto: 49_205n, anticipo: 0n, deductivas: 500n } }, { do: 'edit', which: 0, monto: 1n, anticipo: 0n }, ...to(0, 'enviada'),
  { do: 'edit', which: 0, monto: 0n, anticipo: 0n }
]
const usual: Terms = { anticipo: 3_000n, retencion: 500n, iva: 1_600n, derechos: 50n, isBeforeTax: true }

const shown = (one: unknown) => JSON.stringify(one, (_, value) => typeof value === 'bigint' ? String(value) : value)

t.test('after any operations on estimates of all kinds, amounts, states and refusals are those of a model', async (t) => {
  const { director, contract, psql } = await estimating(t)
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(terms, fc.array(steps, { minLength: 20, maxLength: 35 }).map(steps => steps.flat()), async (terms, steps) => {
    const of = await contract({
      monto: '1000',
      anticipo_porcentaje: decimal(terms.anticipo),
      retencion_porcentaje: decimal(terms.retencion),
      iva_porcentaje: decimal(terms.iva),
      derechos_porcentaje: decimal(terms.derechos),
      retencion_antes_iva: terms.isBeforeTax
    })
    const model = new Contract(100_000n, terms)
    const patch = async (resource: string, id: number, fields: object) => await director.send('PATCH', `${resource}/${id}/`, fields)
    for (const one of steps) {
      const estimate = 'which' in one ? model.estimates[one.which % Math.max(1, model.estimates.length)] : undefined
      if ('which' in one && one.do !== 'moveOrder' && estimate === undefined) continue
      let expected: Outcome
      let response
      let kind = estimate?.tipo ?? ''
      if (one.do === 'create') {
        kind = one.draft.tipo
        expected = model.create(one.draft)
        const { tipo, monto, anticipo, deductivas } = one.draft
        response = await director.post('estimates/', { contract: of, tipo, monto: decimal(monto), anticipo: decimal(anticipo), deductivas: decimal(deductivas) })
        if (expected.status === 201 && response.statusCode === 201) model.add(response.json().id, one.draft)
      } else if (one.do === 'terms') {
        expected = model.changeTerms(one.anticipo)
        response = await patch('contracts', of, { anticipo_porcentaje: decimal(one.anticipo) })
      } else if (one.do === 'close') {
        expected = model.close(one.estado)
        response = await patch('contracts', of, { estado: one.estado })
      } else if (one.do === 'order') {
        expected = model.createOrder()
        response = await director.post('convenios/', { contract: of, monto: decimal(one.monto) })
        if (response.statusCode === 201) model.orders.push({ id: response.json().id, estado: 'borrador', monto: one.monto })
      } else if (one.do === 'moveOrder') {
        const order = model.orders[one.which % Math.max(1, model.orders.length)]
        if (order === undefined) continue
        expected = model.moveOrder(order, one.estado)
        response = await patch('convenios', order.id, { estado: one.estado, fecha_autorizacion: '2026-05-01', fecha_firma: '2026-05-02', motivo_rechazo: 'No' })
      } else if (estimate === undefined) continue
      else if (one.do === 'edit') {
        const changes = estimate.tipo === 'anticipo' ? { anticipo: one.anticipo } : { monto: one.monto }
        expected = model.edit(estimate, changes)
        response = await patch('estimates', estimate.id, Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, decimal(value)])))
      } else if (one.do === 'move') {
        expected = model.move(estimate, one.estado)
        response = await patch('estimates', estimate.id, { estado: one.estado, ...one.estado === 'rechazada' ? { motivo_rechazo: 'No' } : {} })
      } else if (one.do === 'pay') {
        const { neto } = model.amounts(estimate)
        const importe = (neto - sum(estimate.payments)) * one.part / 100n
        expected = model.pay(estimate, importe)
        response = await director.post('pagos/', { estimate: estimate.id, importe: decimal(importe), fecha: '2026-06-01' })
      } else if (one.do === 'return') {
        expected = model.returnFund(estimate, one.amount)
        response = await director.post('movimientos/', { estimate: estimate.id, tipo: 'fondo_garantia', sentido: 'abono', motivo: 'Azar', antes_iva: terms.isBeforeTax, importe: decimal(one.amount) })
      } else {
        expected = model.remove(estimate)
        response = await director.send('DELETE', `estimates/${estimate.id}/`)
      }
      const wrong = response.statusCode === 400 ? Object.keys(response.json().errors) : []
      const story = `${shown(one)} of ${of}: ${response.statusCode} ${response.body}`
      if (response.statusCode !== expected.status || !wrong.every(field => expected.wrong.includes(field))) throw new Error(`${story}\nexpected ${shown(expected)}`)
      const name = `${one.do} ${kind} ${expected.status}`.replace('  ', ' ')
      seen.set(name, (seen.get(name) ?? 0) + 1)

      const records = (await director.get(`estimates/?contract=${of}&ordering=id`)).json().results
      const fields = [
        'monto', 'anticipo', 'amortizacion', 'retencion', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva', 'neto',
        'pagado', 'por_pagar'
      ] as const
      const found = records.map((record: Record<string, string>) => [record['tipo'], record['numero'], record['estado'], ...fields.map(field => record[field])].join(' '))
      const wanted = model.estimates.map((one) => {
        const amounts = { ...one, ...model.amounts(one), pagado: sum(one.payments), por_pagar: model.due(one) }
        return [one.tipo, one.numero, one.estado, ...fields.map(field => decimal(amounts[field]))].join(' ')
      })
      if (found.join() !== wanted.join()) throw new Error(`${story}\n${found.join('\n')}\n\n${wanted.join('\n')}`)
    }
    for (const one of model.estimates) {
      const { avisos } = (await director.get(`estimates/${one.id}/`)).json()
      if (avisos.join() !== model.warnings(one).join()) throw new Error(`${shown(one)} has ${avisos.join()}`)
      for (const warning of avisos) seen.set(warning, (seen.get(warning) ?? 0) + 1)
    }
    if (!model.isBalanced) throw new Error('a settlement left an advance')
    const { estado, monto } = (await director.get(`contracts/${of}/`)).json()
    if (estado !== model.estado || monto !== decimal(model.monto)) throw new Error(`${estado} ${monto}, not ${model.estado} ${model.monto}`)
  }), { numRuns: 25, endOnFailure: true, examples: [[usual, example], [usual, overpaid], [usual, warned], [usual, reduced]] })

  t.same(await wrongSums(psql), [])
  t.comment(shown([...seen]))
  for (const name of ['create ordinaria 201', 'create ordinaria 400', 'create anticipo 201', 'create finiquito 201', 'create finiquito 400', 'move anticipo 200', 'move anticipo 400', 'move finiquito 200', 'move finiquito 400', 'pay finiquito 201', 'pay finiquito 400', 'return finiquito 201', 'order 400', 'close 400', 'terms 400', 'anticipo_excedido']) {
    t.ok(seen.has(name), `${name} among ${[...seen.keys()].join(', ')}`)
  }
})
