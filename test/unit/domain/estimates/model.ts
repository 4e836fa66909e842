/** Percentages in hundredths of a percent, as 0n to 10000n. */
export interface Percentages { anticipo: bigint, retencion: bigint, iva: bigint }

/** The derived amounts of an estimate, in cents. */
export interface Amounts { amortizacion: bigint, retencion: bigint, subtotal: bigint, iva: bigint, neto: bigint }

/** An estimate in the model; amounts in cents. */
export interface ModelEstimate {
  numero: number
  monto: bigint
  deductivas: bigint
  estado: string
  percentages: Percentages
  /** Set by authorization, and constant from then on. */
  fixed?: Amounts
}

/** Formats cents, or hundredths of a percent, as the API does. */
export function decimal (hundredths: bigint): string {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `amount` × `percentage`, rounded to the cent, half a cent away from zero. */
export function share (amount: bigint, percentage: bigint): bigint {
  const product = amount * percentage
  const rounded = ((product < 0n ? -product : product) + 5_000n) / 10_000n
  return product < 0n ? -rounded : rounded
}

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const outOfIt = ['rechazada', 'cancelada']
const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada'],
  rechazada: ['borrador'],
  pagada: [],
  cancelada: []
}

/** The outcome of a request: its status and, for 400, the invalid fields. */
export interface Outcome { status: number, wrong: string[] }

const invalid = (wrong: Set<string>): Outcome => ({ status: 400, wrong: [...wrong].sort() })
const ok = (status: number): Outcome => ({ status, wrong: [] })

/** A contract and its estimates by the rules of the API, in integers. Each operation applies a request and returns its expected outcome. */
export class Model {
  readonly estimates: ModelEstimate[] = []
  monto: bigint
  percentages: Percentages

  constructor (monto: bigint, percentages: Percentages) {
    this.monto = monto
    this.percentages = percentages
  }

  /** The sum of monto over authorized and paid estimates. */
  get authorized (): bigint {
    return sum(this.estimates.filter(({ fixed }) => fixed !== undefined).map(({ monto }) => monto))
  }

  amounts ({ monto, deductivas, percentages, fixed }: Omit<ModelEstimate, 'numero' | 'estado'>): Amounts {
    if (fixed !== undefined) return fixed
    const left = share(this.monto, this.percentages.anticipo) - sum(this.estimates.map(({ fixed }) => fixed?.amortizacion ?? 0n))
    const due = share(monto, percentages.anticipo)
    const amortizacion = left <= 0n ? 0n : left < due ? left : due
    const retencion = share(monto - amortizacion, percentages.retencion)
    const subtotal = monto - amortizacion - retencion - deductivas
    const iva = share(subtotal, percentages.iva)
    return { amortizacion, retencion, subtotal, iva, neto: subtotal + iva }
  }

  /** The sum of monto up to a numero, without rejected and cancelled estimates. */
  accumulated (upTo: number): bigint {
    return sum(this.estimates.filter(({ numero, estado }) => numero <= upTo && !outOfIt.includes(estado)).map(({ monto }) => monto))
  }

  #wrongAmounts (estimate: Omit<ModelEstimate, 'numero' | 'estado'>): Set<string> {
    const { subtotal, neto } = this.amounts(estimate)
    return new Set([...subtotal < 0n ? ['deductivas'] : [], ...neto >= 10n ** 18n ? ['monto'] : []])
  }

  create (monto: bigint, deductivas: bigint): Outcome {
    const wrong = this.#wrongAmounts({ monto, deductivas, percentages: this.percentages })
    if (wrong.size > 0) return invalid(wrong)
    this.estimates.push({ numero: this.estimates.length + 1, monto, deductivas, estado: 'borrador', percentages: this.percentages })
    return ok(201)
  }

  edit (estimate: ModelEstimate, monto: bigint, deductivas: bigint): Outcome {
    if (monto === estimate.monto && deductivas === estimate.deductivas) return ok(200)
    const looked = estimate.fixed === undefined && !outOfIt.includes(estimate.estado)
    const wrong = looked ? this.#wrongAmounts({ ...estimate, monto, deductivas }) : new Set<string>()
    if (wrong.size > 0) return invalid(wrong)
    if (estimate.estado !== 'borrador') return ok(409)
    Object.assign(estimate, { monto, deductivas })
    return ok(200)
  }

  move (estimate: ModelEstimate, estado: string): Outcome {
    if (estado === estimate.estado) return ok(200)
    const onward = estimate.fixed === undefined && ['enviada', 'autorizada', 'pagada'].includes(estado)
    const wrong = onward ? this.#wrongAmounts(estimate) : new Set<string>()
    if (transitions[estimate.estado]?.includes(estado) !== true) wrong.add('estado')
    if (estado === 'autorizada' && estimate.fixed === undefined && this.authorized + estimate.monto > this.monto) wrong.add('monto')
    if (wrong.size > 0) return invalid(wrong)
    if (estado === 'autorizada') estimate.fixed = this.amounts(estimate)
    estimate.estado = estado
    return ok(200)
  }

  amend (monto: bigint, percentages: Percentages): Outcome {
    if (monto < this.authorized) return invalid(new Set(['monto']))
    Object.assign(this, { monto, percentages })
    return ok(200)
  }

  remove (estimate: ModelEstimate): Outcome {
    if (estimate.estado !== 'borrador' || estimate !== this.estimates.at(-1)) return ok(409)
    this.estimates.pop()
    return ok(204)
  }
}
