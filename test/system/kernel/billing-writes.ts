import { pick } from '../../support/trial/random.ts'
import type { Estimate, Works } from './works.ts'
import { without, type WorksTools } from './works-tools.ts'
import type { Write } from './writer.ts'

/** Measurements that are sent in one request. */
const perBulk = 5

/** Drafts with lines. */
const drafts = ({ estimates }: Works) => estimates.filter(({ estado, lines }) => estado === 'borrador' && lines.length > 0)

/** Writes of measurements, authorizations and payments. */
export function billingWrites ({ records, random, on, upTo, some }: WorksTools): Record<string, Write> {
  async function draft (works: Works): Promise<Estimate> {
    const known = some(works.estimates.filter(({ estado }) => estado === 'borrador'))
    if (known !== undefined) return known
    const contract = works.contract
    const id = await records.create('estimates', () => ({ contract }), ({ numero }) => ({ contract_id: contract, numero }))
    const made: Estimate = { id, estado: 'borrador', lines: [], payments: [] }
    works.estimates.push(made)
    return made
  }

  async function measure (works: Works, count?: number): Promise<boolean> {
    const concepts = works.concepts.filter(concept => works.counts(concept))
    if (concepts.length === 0) return false
    const estimate = await draft(works)
    const lines = Array.from({ length: count ?? 1 }, () => ({ concept: pick(concepts, random), quantity: upTo(3) }))
    const body = ({ concept, quantity }: typeof lines[number]) => {
      const measured = random() < 0.5 ? { cantidad: String(quantity) } : { piezas: '2', largo: String(quantity / 2) }
      return { estimate: estimate.id, concepto: concept.id, ...measured }
    }
    const columns = ({ concept, quantity }: typeof lines[number]) =>
      ({ estimate_id: estimate.id, concepto_id: concept.id, contract_id: works.contract, cantidad: quantity })
    const ids = count === undefined
      ? [await records.create('generadores', () => body(lines[0]), () => columns(lines[0]))]
      : await records.createAll('generadores', lines.map(body), index => columns(lines[index]))
    estimate.lines.push(...ids.map((id, index) => ({ id, ...lines[index] })))
    return true
  }

  async function move (estimate: Estimate, estado: string): Promise<void> {
    await records.change('estimates', estimate.id, { estado })
    estimate.estado = estado
  }

  return {
    measurement: on(async works => await measure(works)),
    'bulk of measurements': on(async works => await measure(works, perBulk)),
    'update of a measurement': on(async (works) => {
      const line = some(drafts(works).flatMap(({ lines }) => lines))
      if (line === undefined) return false
      const quantity = upTo(3)
      const body = { cantidad: String(quantity), piezas: null, largo: null }
      await records.change('generadores', line.id, body, { cantidad: quantity, piezas: null, largo: null })
      line.quantity = quantity
      return true
    }),
    'delete of a measurement': on(async (works) => {
      const estimate = some(drafts(works))
      if (estimate === undefined) return false
      const line = pick(estimate.lines, random)
      await records.remove('generadores', line.id)
      without(estimate.lines, line)
      return true
    }),
    /** The last one, with its lines. */
    'delete of an estimate with lines': on(async (works) => {
      const estimate = works.estimates.at(-1)
      if (estimate?.estado !== 'borrador') return false
      await records.remove('estimates', estimate.id, estimate.lines.map(({ id }): [string, number] => ['generadores', id]))
      works.estimates.pop()
      return true
    }),
    'estimate with lines sent': on(async (works) => {
      const estimate = some(drafts(works))
      if (estimate === undefined) return false
      await move(estimate, 'enviada')
      return true
    }),
    authorization: on(async (works) => {
      const estimate = some(works.estimates.filter(one => one.estado === 'enviada' && works.amountOf(one) <= works.left))
      if (estimate === undefined) return false
      await move(estimate, 'autorizada')
      works.authorized.push(estimate)
      return true
    }),
    'undo of an authorization': on(async ({ authorized }) => {
      const estimate = authorized.at(-1)
      if (estimate === undefined || estimate.payments.length > 0 || random() < 0.5) return false
      await move(estimate, 'enviada')
      authorized.pop()
      return true
    }),
    'return to a draft': on(async ({ estimates }) => {
      const estimate = some(estimates.filter(({ estado }) => estado === 'enviada'))
      if (estimate === undefined || random() < 0.5) return false
      await move(estimate, 'borrador')
      return true
    }),
    payment: on(async (works) => {
      const estimate = some(works.authorized.filter(({ estado }) => estado === 'autorizada'))
      if (estimate === undefined) return false
      const due = works.amountOf(estimate) - works.paid(estimate)
      const amount = random() < 0.5 ? due : upTo(due)
      const id = await records.create('pagos', () => ({ estimate: estimate.id, importe: `${amount}.00`, fecha: '2026-04-15' }),
        () => ({ estimate_id: estimate.id, contract_id: works.contract, importe: amount }))
      estimate.payments.push({ id, amount })
      if (amount === due) estimate.estado = 'pagada'
      return true
    }),
    'delete of a payment': on(async (works) => {
      const estimate = some(works.authorized.filter(({ payments }) => payments.length > 0))
      if (estimate === undefined || random() < 0.5) return false
      const payment = pick(estimate.payments, random)
      await records.remove('pagos', payment.id)
      without(estimate.payments, payment)
      estimate.estado = 'autorizada'
      return true
    })
  }
}
