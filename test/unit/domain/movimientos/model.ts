/** Percentages of a contract in hundredths of a percent. */
export interface Terms {
  anticipo: bigint
  retencion: bigint
  iva: bigint
  derechos: bigint
  isBeforeTax: boolean
}

/** A movement. Amounts are in cents, the percentage in millionths of a percent. */
export interface Movement {
  id: number
  tipo: string
  sentido: 'cargo' | 'abono'
  antes_iva: boolean
  importe: bigint | null
  porcentaje: bigint | null
  base: 'monto' | 'subtotal' | 'iva'
}

/** The amounts of an estimate. */
export interface Amounts {
  amortizacion: bigint
  retencion: bigint
  cargos_antes_iva: bigint
  subtotal: bigint
  iva: bigint
  derechos: bigint
  cargos_despues_iva: bigint
  neto: bigint
  /** Of each movement. */
  movements: Map<number, bigint>
}

/** An estimate. `settled` are its amounts since the authorization, which has a position. */
export interface Estimate {
  id: number
  monto: bigint
  estado: string
  movements: Movement[]
  settled?: Amounts
  order: number
}

/** The result of a request: its status, and the fields of a 400. */
export interface Outcome {
  status: number
  wrong: string[]
}

const accepted = (status = 200): Outcome => ({ status, wrong: [] })
const refused = (...wrong: string[]): Outcome => ({ status: 400, wrong: wrong.sort() })
const conflict: Outcome = { status: 409, wrong: [] }

/** A quotient, rounded to the nearest integer, ties away from zero. */
function rounded (dividend: bigint, divisor: bigint): bigint {
  const size = ((dividend < 0n ? -dividend : dividend) * 2n + divisor) / (divisor * 2n)
  return dividend < 0n ? -size : size
}

const share = (amount: bigint, percentage: bigint) => rounded(amount * percentage, 10_000n)
const most = (...amounts: bigint[]) => amounts.reduce((a, b) => a > b ? a : b)
const least = (a: bigint, b: bigint) => a < b ? a : b
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const signed = ({ sentido }: Movement, amount: bigint) => sentido === 'cargo' ? amount : -amount

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
    const { anticipo, retencion, iva, derechos, isBeforeTax } = this.terms
    const left = most(0n, share(this.monto, anticipo) - sum(this.#settled().map(({ amortizacion }) => amortizacion)))
    const amortizacion = most(0n, least(left, share(monto, anticipo)))
    const kept = share(monto - amortizacion, retencion)
    const own = new Map<number, bigint>()
    const charges = (isBefore: boolean, bases: Record<Movement['base'], bigint>) => sum(movements.filter(movement => movement.antes_iva === isBefore).map((movement) => {
      const amount = movement.importe ?? rounded(most(0n, bases[movement.base]) * (movement.porcentaje ?? 0n), 100_000_000n)
      own.set(movement.id, amount)
      return signed(movement, amount)
    }))
    const before = charges(true, { monto, subtotal: 0n, iva: 0n })
    const subtotal = monto - amortizacion - (isBeforeTax ? kept : 0n) - before
    const tax = share(subtotal, iva)
    const after = charges(false, { monto, subtotal, iva: tax })
    const fee = share(monto, derechos)
    return {
      amortizacion,
      retencion: kept,
      cargos_antes_iva: before,
      subtotal,
      iva: tax,
      derechos: fee,
      cargos_despues_iva: after,
      neto: subtotal + tax - fee - (isBeforeTax ? 0n : kept) - after,
      movements: own
    }
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
    if (movement.sentido === 'abono' && this.#returned(estimate, movements, movement) > this.taken(movement.tipo, movement.antes_iva)) return refused('importe')
    return accepted(201)
  }

  /** The amount of an estimate without movements must cover what is taken from it. */
  edit (estimate: Estimate, monto: bigint): Outcome {
    if (monto === estimate.monto) return accepted()
    if (estimate.estado !== 'borrador') return conflict
    const fixed = (isBefore: boolean) => sum(estimate.movements.filter(movement => movement.antes_iva === isBefore).map(movement => signed(movement, movement.importe ?? 0n)))
    const isMoved = fixed(true) !== 0n || fixed(false) !== 0n || estimate.movements.some(({ porcentaje }) => porcentaje !== null)
    if (!isMoved && this.#isNegative(this.amounts(estimate, { ...estimate, monto }))) return refused('deductivas')
    estimate.monto = monto
    return accepted()
  }

  /** Changes the state. */
  move (estimate: Estimate, to: string): Outcome {
    const from = estimate.estado
    if (to === from) return accepted()
    const allowed: Record<string, string[]> = { borrador: ['enviada'], enviada: ['autorizada', 'borrador'], autorizada: ['enviada'] }
    // A 400 has all problems of the request.
    const wrong = new Set(allowed[from]?.includes(to) === true ? [] : ['estado'])
    if (from === 'autorizada') {
      if (wrong.size > 0) return refused(...wrong)
      if (this.estimates.some(({ settled, order }) => settled !== undefined && order > estimate.order)) return refused('estado')
      delete estimate.settled
    } else if (to !== 'borrador') {
      const amounts = this.amounts(estimate)
      if (this.#isNegative(amounts)) wrong.add('deductivas')
      if (to === 'autorizada') {
        if (sum(this.estimates.filter(({ settled }) => settled !== undefined).map(({ monto }) => monto)) + estimate.monto > this.monto) wrong.add('monto')
        const returns = estimate.movements.filter(({ sentido }) => sentido === 'abono')
        if (returns.some(one => this.#returned(estimate, estimate.movements, one) > this.taken(one.tipo, one.antes_iva))) wrong.add('estado')
      }
      if (wrong.size > 0) return refused(...wrong)
      if (to === 'autorizada') Object.assign(estimate, { settled: amounts, order: ++this.#authorizations })
    }
    if (wrong.size > 0) return refused(...wrong)
    estimate.estado = to
    return accepted()
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
