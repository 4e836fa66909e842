import fc from 'fast-check'
import t from 'tap'
import { estimating } from '../../../support/estimating.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { decimal, sum } from '../../../support/exact.ts'

/** An estimate in the model, in cents. */
interface Estimate {
  id: number
  neto: bigint
  estado: string
  /** Position of the authorization. */
  order: number
  /** Amounts by the id of the payment. */
  payments: Map<number, bigint>
}

const paid = ({ payments }: Estimate) => sum([...payments.values()])
const left = (estimate: Estimate) => estimate.neto - paid(estimate)
const isSettled = ({ estado }: Estimate) => estado === 'autorizada' || estado === 'pagada'

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A part of what is left, in percent, and some cents: sometimes all of it, more, nothing or the other sign. */
const amount = fc.record({ percent: fc.constantFrom(0n, 10n, 33n, 50n, 100n, 100n, 100n, 101n, -10n), cents: fc.constantFrom(0n, 0n, 1n, -1n) })
const which = fc.nat(2)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), which, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bulk' as const), which, amounts: fc.array(amount, { minLength: 1, maxLength: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), which, place: fc.nat(5) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('move' as const), which, estado: fc.constantFrom('autorizada', 'autorizada', 'enviada', 'enviada', 'pagada') }) }
)

const half = { percent: 50n, cents: 0n } as const
/** A bulk that is accepted, which random steps can lack. */
const example: Step[] = [{ do: 'move', which: 0, estado: 'autorizada' }, { do: 'bulk', which: 0, amounts: [half, half] }, { do: 'pay', which: 0, amount: { percent: 100n, cents: 0n } }, { do: 'delete', which: 0, place: 1 }]

const next: Record<string, string[]> = { enviada: ['autorizada'], autorizada: ['pagada', 'enviada'], pagada: [] }

t.test('after any payments, deletes and changes of estado, sums and states are those of a model', async (t) => {
  const { director, contract, estimate, psql } = await estimating(t)
  const seen = new Map<string, number>()

  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 25 }), async (steps) => {
    const of = await contract({ monto: '1000', iva_porcentaje: '0' })
    const model: Estimate[] = []
    for (const neto of [10_001n, 0n, 333n]) model.push({ id: (await estimate(of, { monto: decimal(neto) }, 'enviada'))['id'], neto, estado: 'enviada', order: 0, payments: new Map() })
    let authorizations = 0
    const part = (estimate: Estimate, { percent, cents }: { percent: bigint, cents: bigint }) => left(estimate) * percent / 100n + cents
    const isDue = (estimate: Estimate, amount: bigint) => estimate.estado === 'autorizada' && amount > 0n && amount <= left(estimate)
    const settle = (estimate: Estimate) => { estimate.estado = left(estimate) === 0n ? 'pagada' : 'autorizada' }

    for (const one of steps) {
      const estimate = model[one.which]
      let expected: number
      let response
      if (one.do === 'pay') {
        const importe = part(estimate, one.amount)
        response = await director.post('pagos/', { estimate: estimate.id, importe: decimal(importe), fecha: '2026-04-15' })
        expected = isDue(estimate, importe) ? 201 : 400
        if (expected === 201) {
          estimate.payments.set(response.json().id, importe)
          settle(estimate)
        }
      } else if (one.do === 'bulk') {
        const before = { ...estimate, payments: new Map(estimate.payments) }
        const amounts = one.amounts.map(amount => part(estimate, amount))
        expected = 201
        for (const [index, importe] of amounts.entries()) {
          if (!isDue(before, importe)) expected = 400
          before.payments.set(-index, importe)
          settle(before)
        }
        response = await director.post('pagos/bulk/', { items: amounts.map(importe => ({ estimate: estimate.id, importe: decimal(importe), fecha: '2026-04-15' })) })
        if (expected === 201 && response.statusCode === 201) {
          for (const [index, importe] of amounts.entries()) estimate.payments.set(response.json().results[index].id, importe)
          settle(estimate)
        }
      } else if (one.do === 'delete') {
        const [id] = [...estimate.payments.keys()].slice(one.place % Math.max(1, estimate.payments.size))
        if (id === undefined) continue
        response = await director.send('DELETE', `pagos/${id}/`)
        expected = 204
        estimate.payments.delete(id)
        settle(estimate)
      } else {
        if (one.estado === estimate.estado) continue
        const isLast = model.every(other => !isSettled(other) || other.order <= estimate.order)
        const isRefused = next[estimate.estado]?.includes(one.estado) !== true || (one.estado === 'enviada' && (!isLast || estimate.payments.size > 0))
        response = await director.send('PATCH', `estimates/${estimate.id}/`, { estado: one.estado })
        expected = isRefused ? 400 : 200
        if (expected === 200) {
          if (one.estado === 'pagada' && left(estimate) !== 0n) {
            const [recorded] = await psql('select max(id) as id from pagos where estimate_id = $1', [estimate.id])
            estimate.payments.set(recorded?.['id'] as number, left(estimate))
          }
          if (one.estado === 'autorizada') estimate.order = ++authorizations
          estimate.estado = one.estado
        }
      }
      const story = `${JSON.stringify(one, (_, value) => typeof value === 'bigint' ? String(value) : value)} of ${estimate.id}: ${response.statusCode} ${response.body}`
      if (response.statusCode !== expected) throw new Error(`${story}\nexpected ${expected}`)
      const name = `${one.do} ${expected}`
      seen.set(name, (seen.get(name) ?? 0) + 1)

      const shown = (await director.get(`estimates/?contract=${of}&ordering=numero`)).json().results
      const found = shown.map(({ estado, pagado, por_pagar: rest, neto }: Record<string, string>) => [estado, neto, pagado, rest].join(' '))
      const wanted = model.map(one => [one.estado, decimal(one.neto), decimal(paid(one)), decimal(isSettled(one) ? left(one) : 0n)].join(' '))
      if (found.join() !== wanted.join()) throw new Error(`${story}\n${found.join()}\n${wanted.join()}`)
      const pending = (await director.get(`estimates/?contract=${of}&pendiente_pago=true&ordering=numero`)).json().results.map(({ id }: { id: number }) => id)
      const due = model.filter(one => one.estado === 'autorizada' && left(one) !== 0n).map(({ id }) => id)
      if (pending.join() !== due.join()) throw new Error(`${story}\n${pending.join()}, not ${due.join()}`)
    }
    const payments = (await director.get(`pagos/?contract=${of}&page_size=200`)).json().results.map(({ id, importe }: { id: number, importe: string }) => `${id} ${importe}`).sort()
    const wanted = model.flatMap(({ payments }) => [...payments].map(([id, amount]) => `${id} ${decimal(amount)}`)).sort()
    if (payments.join() !== wanted.join()) throw new Error(`${payments.join()}, not ${wanted.join()}`)
  }), { numRuns: 25, endOnFailure: true, examples: [[example]] })

  t.same(await wrongSums(psql), [])
  for (const name of ['pay 201', 'pay 400', 'bulk 201', 'bulk 400', 'delete 204', 'move 200', 'move 400']) t.ok(seen.has(name), `${name} among ${[...seen].join(', ')}`)
})
