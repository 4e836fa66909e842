import { advanceLeft, amountsOf, type Amounts, type Given, type Terms } from '../../../support/estimate-amounts.ts'
import { share, sizeOf, sum } from '../../../support/exact.ts'
import { accepted, conflict, invalid, type Outcome } from '../outcome.ts'

/** What an estimate is created with. */
export type Draft = Required<Pick<Given, 'tipo' | 'monto' | 'anticipo' | 'deductivas'>>

/** An estimate. `fixed` are its amounts since the authorization, which has a position. */
export interface Estimate extends Draft {
  id: number
  numero: number
  estado: string
  /** The anticipo percentage of the contract at its creation. */
  percentage: bigint
  /** Returns of the guarantee fund. */
  returns: bigint[]
  payments: bigint[]
  fixed?: Amounts
  order: number
}

/** A change order without advance. */
export interface Order { id: number, estado: string, monto: bigint }

const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'], enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'], autorizada: ['pagada', 'enviada'], rechazada: ['borrador']
}
const ofOrders: Record<string, string[]> = {
  borrador: ['enviado', 'cancelado'], enviado: ['autorizado', 'rechazado', 'borrador', 'cancelado'], autorizado: ['firmado', 'borrador', 'cancelado'], rechazado: ['borrador']
}
const waiting = ['borrador', 'enviada']
const paid = ({ payments }: Estimate) => sum(payments)

/** A contract with estimates of all kinds, change orders and payments, as works.md describes them in §5, §6 and §8. Operations return all reasons of a refusal. */
export class Contract {
  readonly estimates: Estimate[] = []
  readonly orders: Order[] = []
  monto: bigint
  terms: Terms
  estado = 'vigente'
  #authorizations = 0

  constructor (monto: bigint, terms: Terms) {
    this.monto = monto
    this.terms = { ...terms }
  }

  get #authorized (): Estimate[] {
    return this.estimates.filter(({ fixed }) => fixed !== undefined)
  }

  get isSettled (): boolean {
    return this.#authorized.some(({ tipo }) => tipo === 'finiquito')
  }

  #ordersIn (estado: string): bigint {
    return sum(this.orders.filter(order => order.estado === estado).map(({ monto }) => monto))
  }

  get #ceiling (): bigint {
    return this.monto + this.#ordersIn('autorizado')
  }

  get #agreed (): bigint {
    return share(this.monto - this.#ordersIn('firmado'), this.terms.anticipo)
  }

  get #delivered (): bigint {
    return sum(this.#authorized.map(({ anticipo }) => anticipo))
  }

  get #repaid (): bigint {
    return sum(this.#authorized.map(({ fixed }) => fixed?.amortizacion ?? 0n))
  }

  get #left (): bigint {
    return this.isSettled ? 0n : advanceLeft(this.#agreed, this.#delivered, this.#repaid)
  }

  get #executed (): bigint {
    return sum(this.#authorized.map(({ monto }) => monto))
  }

  /** The guarantee fund that authorized estimates have taken and not returned. */
  get #fund (): bigint {
    return sum(this.#authorized.map(({ fixed, returns }) => (fixed?.retencion ?? 0n) - sum(returns)))
  }

  get #hasWaitingFiniquito (): boolean {
    return this.estimates.some(({ tipo, estado }) => tipo === 'finiquito' && waiting.includes(estado))
  }

  amounts ({ tipo, monto, anticipo, deductivas, percentage, returns, fixed }: Pick<Estimate, keyof Draft | 'percentage' | 'returns'> & { fixed?: Amounts }): Amounts {
    if (fixed !== undefined) return fixed
    const movements = returns.map(importe => ({ sentido: 'abono' as const, antes_iva: this.terms.isBeforeTax, importe }))
    return amountsOf({ tipo, monto, anticipo, deductivas, movements }, { ...this.terms, anticipo: percentage }, this.#left).amounts
  }

  /** The warnings of an estimate without lines. */
  warnings ({ tipo, fixed }: Estimate): string[] {
    return tipo !== 'anticipo' && fixed === undefined && this.#left < 0n ? ['anticipo_excedido'] : []
  }

  /** What is owed: nothing before the authorization. */
  due ({ fixed, payments }: Estimate): bigint {
    return fixed === undefined ? 0n : fixed.neto - sum(payments)
  }

  /** Whether a settlement leaves the delivered advance repaid, no more and no less. */
  get isBalanced (): boolean {
    return !this.isSettled || this.#delivered === 0n || this.#repaid === this.#delivered
  }

  #isNegative (estimate: Parameters<Contract['amounts']>[0]): boolean {
    const { subtotal, neto } = this.amounts(estimate)
    return estimate.tipo !== 'finiquito' && (subtotal < 0n || neto < 0n)
  }

  #kind ({ tipo, monto, anticipo }: Draft): string[] {
    return [...(tipo === 'anticipo') === (anticipo > 0n) ? [] : ['anticipo'], ...tipo === 'anticipo' && monto !== 0n ? ['monto'] : []]
  }

  create (draft: Draft): Outcome {
    const reasons = this.#kind(draft)
    if ((this.estado === 'terminado' && draft.tipo !== 'finiquito') || this.#hasWaitingFiniquito) reasons.push('contract')
    if (draft.tipo === 'finiquito' && this.isSettled && draft.monto !== 0n) reasons.push('monto')
    if (this.#isNegative({ ...draft, percentage: this.terms.anticipo, returns: [] })) reasons.push('deductivas')
    return reasons.length === 0 ? accepted(201) : invalid(reasons)
  }

  add (id: number, draft: Draft): void {
    const numero = 1 + this.#series(draft).length
    this.estimates.push({ ...draft, id, numero, estado: 'borrador', percentage: this.terms.anticipo, returns: [], payments: [], order: 0 })
  }

  #series ({ tipo }: Pick<Draft, 'tipo'>): Estimate[] {
    return this.estimates.filter(other => (other.tipo === 'anticipo') === (tipo === 'anticipo'))
  }

  edit (estimate: Estimate, changes: Partial<Draft>): Outcome {
    const next = { ...estimate, ...changes }
    const isSame = next.monto === estimate.monto && next.anticipo === estimate.anticipo && next.deductivas === estimate.deductivas
    if (isSame) return accepted(200)
    const reasons = this.#kind(next)
    const isOpen = estimate.fixed === undefined && !['rechazada', 'cancelada'].includes(estimate.estado)
    // The amounts of a sent estimate cannot change, whether they would be negative or not.
    if (isOpen && estimate.estado === 'borrador' && estimate.returns.length === 0 && this.#isNegative(next)) reasons.push('deductivas')
    if (isOpen && next.tipo === 'finiquito' && this.isSettled && next.monto !== 0n) reasons.push('monto')
    if (reasons.length > 0) return invalid(reasons)
    if (estimate.estado !== 'borrador') return conflict
    Object.assign(estimate, changes)
    return accepted(200)
  }

  move (estimate: Estimate, to: string): Outcome {
    const { tipo, estado: from } = estimate
    if (to === from) return accepted(200)
    const reasons: string[] = []
    const isFiniquito = tipo === 'finiquito'
    const isAuthorization = to === 'autorizada' && estimate.fixed === undefined
    if (transitions[from]?.includes(to) !== true || (isFiniquito && from === 'autorizada' && to === 'enviada')) reasons.push('estado')
    if (!isFiniquito && this.isSettled && [...waiting, 'autorizada'].includes(to)) reasons.push('estado')
    if (from === 'autorizada' && to === 'enviada' && (paid(estimate) !== 0n || this.#authorized.some(({ order }) => order > estimate.order))) reasons.push('estado')
    if (isFiniquito && waiting.includes(to) && this.estimates.some(other => other !== estimate && other.tipo === 'finiquito' && waiting.includes(other.estado))) reasons.push('estado')
    if (isFiniquito && this.isSettled && estimate.fixed === undefined && estimate.monto !== 0n && !['rechazada', 'cancelada'].includes(to)) reasons.push('monto')
    if (estimate.fixed === undefined && !['borrador', 'rechazada', 'cancelada'].includes(to) && this.#isNegative(estimate)) reasons.push('deductivas')
    if (isAuthorization) {
      if (this.#executed + estimate.monto > this.#ceiling) reasons.push('monto')
      if (tipo === 'anticipo' && this.#delivered + estimate.anticipo > this.#agreed) reasons.push('anticipo')
      if (sum(estimate.returns) > this.#fund) reasons.push('estado')
      const isPending = this.estimates.some(other => other !== estimate && waiting.includes(other.estado)) || this.orders.some(({ estado }) => estado === 'autorizado')
      if (isFiniquito && isPending) reasons.push('estado')
    }
    if (reasons.length > 0) return invalid(reasons)
    if (isAuthorization) {
      Object.assign(estimate, { fixed: this.amounts(estimate), order: ++this.#authorizations })
      if (isFiniquito) this.estado = 'terminado'
    } else if (to === 'enviada') delete estimate.fixed
    const due = (estimate.fixed?.neto ?? 0n) - paid(estimate)
    if (to === 'pagada' && due !== 0n) estimate.payments.push(due)
    estimate.estado = to
    return accepted(200)
  }

  pay (estimate: Estimate, amount: bigint): Outcome {
    const due = (estimate.fixed?.neto ?? 0n) - paid(estimate)
    const isDue = amount !== 0n && (amount > 0n) === (due > 0n) && sizeOf(amount) <= sizeOf(due)
    if (estimate.estado !== 'autorizada' || !isDue) return invalid([...estimate.estado === 'autorizada' ? [] : ['estimate'], ...isDue ? [] : ['importe']])
    estimate.payments.push(amount)
    if (amount === due) estimate.estado = 'pagada'
    return accepted(201)
  }

  returnFund (estimate: Estimate, amount: bigint): Outcome {
    if (estimate.estado !== 'borrador') return conflict
    if (sum(estimate.returns) + amount > this.#fund) return invalid(['importe'])
    estimate.returns.push(amount)
    return accepted(201)
  }

  remove (estimate: Estimate): Outcome {
    if (estimate.estado !== 'borrador' || this.#series(estimate).at(-1) !== estimate) return conflict
    this.estimates.splice(this.estimates.indexOf(estimate), 1)
    return accepted(204)
  }

  close (to: 'vigente' | 'terminado'): Outcome {
    if (to === 'vigente' && this.isSettled) return invalid(['estado'])
    this.estado = to
    return accepted(200)
  }

  changeTerms (anticipo: bigint): Outcome {
    if (this.isSettled && anticipo !== this.terms.anticipo) return invalid(['anticipo_porcentaje'])
    this.terms.anticipo = anticipo
    return accepted(200)
  }

  createOrder (): Outcome {
    return this.isSettled ? invalid(['contract']) : accepted(201)
  }

  moveOrder (order: Order, to: string): Outcome {
    const { estado: from, monto } = order
    if (from === to) return accepted(200)
    const reasons = ofOrders[from]?.includes(to) === true ? [] : ['estado']
    if (this.isSettled && !['rechazado', 'cancelado'].includes(to)) reasons.push('estado')
    if (from === 'autorizado' && to !== 'firmado' && this.#executed > this.#ceiling - monto) reasons.push('estado')
    if (reasons.length > 0) return invalid(reasons)
    order.estado = to
    if (to === 'firmado') this.monto += monto
    return accepted(200)
  }
}
