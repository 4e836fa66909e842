import { advanceLeft, amountsOf, type Amounts } from '../../../support/estimate-amounts.ts'
import { share, sum } from '../../../support/exact.ts'
import { accepted, conflict, invalid, type Outcome } from '../outcome.ts'

/** Percentages in hundredths of a percent, as 0n to 10000n. */
export interface Percentages { anticipo: bigint, retencion: bigint, iva: bigint }

/** An estimate in the model; amounts in cents. */
export interface ModelEstimate {
  numero: number
  monto: bigint
  deductivas: bigint
  estado: string
  percentages: Percentages
  /** Set by authorization, and constant until this is undone. */
  fixed?: Amounts
  /** Position of the authorization. */
  order?: number
}

const outOfIt = ['rechazada', 'cancelada']
const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada', 'enviada'],
  rechazada: ['borrador'],
  pagada: [],
  cancelada: []
}

/** A contract and its estimates by the rules of the API, in integers. Each operation applies a request and returns its expected outcome. */
export class Model {
  readonly estimates: ModelEstimate[] = []
  monto: bigint
  percentages: Percentages
  #authorizations = 0

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
    const repaid = sum(this.estimates.map(({ fixed }) => fixed?.amortizacion ?? 0n))
    const left = advanceLeft(share(this.monto, this.percentages.anticipo), 0n, repaid)
    return amountsOf({ monto, deductivas }, { ...percentages, derechos: 0n, isBeforeTax: true }, left).amounts
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
    return accepted(201)
  }

  edit (estimate: ModelEstimate, monto: bigint, deductivas: bigint): Outcome {
    if (monto === estimate.monto && deductivas === estimate.deductivas) return accepted(200)
    if (estimate.estado !== 'borrador') return conflict
    const wrong = this.#wrongAmounts({ ...estimate, monto, deductivas })
    if (wrong.size > 0) return invalid(wrong)
    Object.assign(estimate, { monto, deductivas })
    return accepted(200)
  }

  move (estimate: ModelEstimate, estado: string): Outcome {
    if (estado === estimate.estado) return accepted(200)
    const onward = estimate.fixed === undefined && ['enviada', 'autorizada', 'pagada'].includes(estado)
    const wrong = onward ? this.#wrongAmounts(estimate) : new Set<string>()
    if (transitions[estimate.estado]?.includes(estado) !== true) wrong.add('estado')
    if (estado === 'enviada' && this.estimates.some(({ order = 0 }) => order > (estimate.order ?? Infinity))) wrong.add('estado')
    if (estado === 'autorizada' && estimate.fixed === undefined && this.authorized + estimate.monto > this.monto) wrong.add('monto')
    if (wrong.size > 0) return invalid(wrong)
    if (estado === 'autorizada') Object.assign(estimate, { fixed: this.amounts(estimate), order: ++this.#authorizations })
    if (estado === 'enviada') {
      delete estimate.fixed
      delete estimate.order
    }
    estimate.estado = estado
    return accepted(200)
  }

  amend (monto: bigint, percentages: Percentages): Outcome {
    if (monto < this.authorized) return invalid(['monto'])
    Object.assign(this, { monto, percentages })
    return accepted(200)
  }

  remove (estimate: ModelEstimate): Outcome {
    if (estimate.estado !== 'borrador' || estimate !== this.estimates.at(-1)) return conflict
    this.estimates.pop()
    return accepted(204)
  }
}
