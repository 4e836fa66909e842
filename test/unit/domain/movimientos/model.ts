import { advanceLeft, amountsOf, signed, type Amounts as Derived, type Movement, type Terms } from '../../../support/estimate-amounts.ts'
import { share, sum } from '../../../support/exact.ts'
import { accepted, conflict, invalid, type Outcome } from '../outcome.ts'

/** The amounts of an estimate, and that of each movement by id. */
export type Amounts = Derived & { movements: Map<number, bigint> }

/** An estimate. `settled` are its amounts since the authorization, which has a position. */
export interface Estimate {
  id: number
  monto: bigint
  estado: string
  movements: Movement[]
  settled?: Amounts
  order: number
}

/** A contract with estimates and their movements, as works.md describes them in §5 and §7. */
export class Model {
  readonly estimates: Estimate[] = []
  readonly monto: bigint
  readonly terms: Terms
  #authorizations = 0

  constructor (monto: bigint, terms: Terms) {
    this.monto = monto
    this.terms = terms
  }

  /** The amounts of an estimate: the fixed ones of an authorized one. */
  amounts (estimate: Estimate, { monto, movements } = estimate): Amounts {
    if (estimate.settled !== undefined) return estimate.settled
    const repaid = sum(this.#settled().map(({ amortizacion }) => amortizacion))
    const left = advanceLeft(share(this.monto, this.terms.anticipo), 0n, repaid)
    const { amounts, movements: own } = amountsOf({ monto, movements }, this.terms, left)
    return { ...amounts, movements: own }
  }

  /** What authorized estimates have taken and not returned. */
  taken (tipo: string, isBefore: boolean): bigint {
    const funds = tipo === 'fondo_garantia' && isBefore === this.terms.isBeforeTax ? this.#settled().map(({ retencion }) => retencion) : []
    const moved = this.estimates.flatMap(({ settled, movements }) => settled === undefined
      ? []
      : movements
        .filter(movement => movement.tipo === tipo && movement.antes_iva === isBefore)
        .map(movement => signed(movement, settled.movements.get(movement.id) ?? 0n)))
    return sum([...funds, ...moved])
  }

  /** Adds a movement, or replaces the one with its id. */
  write (estimate: Estimate, movement: Movement): Outcome {
    if (estimate.estado !== 'borrador') return conflict
    const movements = [...estimate.movements.filter(({ id }) => id !== movement.id), movement]
    if (movement.sentido === 'abono' && this.#returned(estimate, movements, movement) > this.taken(movement.tipo, movement.antes_iva)) return invalid(['importe'])
    return accepted(201)
  }

  /** The amount of an estimate without movements must cover what is taken from it. */
  edit (estimate: Estimate, monto: bigint): Outcome {
    if (monto === estimate.monto) return accepted(200)
    if (estimate.estado !== 'borrador') return conflict
    const fixed = (isBefore: boolean) => sum(estimate.movements.filter(movement => movement.antes_iva === isBefore).map(movement => signed(movement, movement.importe ?? 0n)))
    const isMoved = fixed(true) !== 0n || fixed(false) !== 0n || estimate.movements.some(({ porcentaje }) => porcentaje !== null)
    if (!isMoved && this.#isNegative(this.amounts(estimate, { ...estimate, monto }))) return invalid(['deductivas'])
    estimate.monto = monto
    return accepted(200)
  }

  /** Changes the state. */
  move (estimate: Estimate, to: string): Outcome {
    const from = estimate.estado
    if (to === from) return accepted(200)
    const allowed: Record<string, string[]> = { borrador: ['enviada'], enviada: ['autorizada', 'borrador'], autorizada: ['enviada'] }
    // A 400 has all problems of the request.
    const wrong = new Set(allowed[from]?.includes(to) === true ? [] : ['estado'])
    if (from === 'autorizada') {
      if (wrong.size > 0) return invalid(wrong)
      if (this.estimates.some(({ settled, order }) => settled !== undefined && order > estimate.order)) return invalid(['estado'])
      delete estimate.settled
    } else if (to !== 'borrador') {
      const amounts = this.amounts(estimate)
      if (this.#isNegative(amounts)) wrong.add('deductivas')
      if (to === 'autorizada') {
        if (sum(this.estimates.filter(({ settled }) => settled !== undefined).map(({ monto }) => monto)) + estimate.monto > this.monto) wrong.add('monto')
        const returns = estimate.movements.filter(({ sentido }) => sentido === 'abono')
        if (returns.some(one => this.#returned(estimate, estimate.movements, one) > this.taken(one.tipo, one.antes_iva))) wrong.add('estado')
      }
      if (wrong.size > 0) return invalid(wrong)
      if (to === 'autorizada') Object.assign(estimate, { settled: amounts, order: ++this.#authorizations })
    }
    if (wrong.size > 0) return invalid(wrong)
    estimate.estado = to
    return accepted(200)
  }

  #settled (): Amounts[] {
    return this.estimates.flatMap(({ settled }) => settled === undefined ? [] : [settled])
  }

  #isNegative ({ subtotal, neto }: Amounts): boolean {
    return subtotal < 0n || neto < 0n
  }

  /** The returns of the kind of a movement. */
  #returned (estimate: Estimate, movements: Movement[], { tipo, antes_iva: isBefore }: Movement): bigint {
    const { movements: amounts } = this.amounts(estimate, { ...estimate, movements })
    return sum(movements.filter(one => one.sentido === 'abono' && one.tipo === tipo && one.antes_iva === isBefore).map(({ id }) => amounts.get(id) ?? 0n))
  }
}
