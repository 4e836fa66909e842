import { advanceLeft, amountsOf } from '../../../support/estimate-amounts.ts'
import { decimal, rounded, share, sizeOf, sum } from '../../../support/exact.ts'
import { accepted, conflict, invalid, type Outcome } from '../outcome.ts'

/** A change order in the model; amounts in cents. */
export interface ModelConvenio { numero: number, monto: bigint, dias: number, conAnticipo: boolean, estado: string }

/** An estimate in the model. `fixed` is its repayment, and `order` its place among the authorizations, while it is authorized. */
export interface ModelEstimate { monto: bigint, fixed?: bigint | undefined, order?: number | undefined }

const transitions: Record<string, string[]> = {
  borrador: ['enviado', 'cancelado'],
  enviado: ['autorizado', 'rechazado', 'borrador', 'cancelado'],
  autorizado: ['firmado', 'borrador', 'cancelado'],
  firmado: [],
  rechazado: ['borrador'],
  cancelado: []
}

const positive = (amount: bigint) => amount > 0n ? amount : 0n

/**
 * A contract with its change orders and estimates, as the specification says it. Nothing is summed up in advance: each value is derived from
 * the original contract and the list of change orders. Days are numbered from the first day of the contract, 0.
 */
export class Model {
  readonly convenios: ModelConvenio[] = []
  readonly estimates: ModelEstimate[] = []
  original: bigint
  originalEnd: number | null
  readonly anticipo: bigint

  constructor (original: bigint, originalEnd: number | null, anticipo: bigint) {
    this.original = original
    this.originalEnd = originalEnd
    this.anticipo = anticipo
  }

  get signed (): ModelConvenio[] {
    return this.convenios.filter(({ estado }) => estado === 'firmado')
  }

  get monto (): bigint {
    return this.original + sum(this.signed.map(({ monto }) => monto))
  }

  get end (): number | null {
    return this.originalEnd === null ? null : this.originalEnd + this.signed.reduce((days, { dias }) => days + dias, 0)
  }

  get extra (): bigint {
    return sum(this.convenios.filter(({ estado }) => estado === 'autorizado').map(({ monto }) => positive(monto)))
  }

  get authorized (): bigint {
    return sum(this.estimates.filter(({ fixed }) => fixed !== undefined).map(({ monto }) => monto))
  }

  repayment ({ monto, fixed }: ModelEstimate): bigint {
    if (fixed !== undefined) return fixed
    const base = this.monto - sum(this.signed.filter(({ conAnticipo }) => !conAnticipo).map(({ monto }) => monto))
    const left = advanceLeft(share(base, this.anticipo), 0n, sum(this.estimates.map(({ fixed }) => fixed ?? 0n)))
    const terms = { anticipo: this.anticipo, retencion: 0n, iva: 0n, derechos: 0n, isBeforeTax: true }
    return amountsOf({ monto }, terms, left).amounts.amortizacion
  }

  /** The percentages and warnings of a change order. */
  percentages ({ numero, monto, dias }: ModelConvenio): Array<string | null | string[]> {
    const before = this.signed.filter(other => other.numero < numero)
    const added = sum(before.map(({ monto }) => monto)) + monto
    const all = [...before.map(({ monto }) => monto), monto]
    const [up, down] = [sum(all.map(positive)), sum(all.map(amount => amount - positive(amount)))]
    const days = BigInt(before.reduce((days, { dias }) => days + dias, dias))
    const term = this.originalEnd === null ? 0n : BigInt(this.originalEnd + 1)
    const warnings = (name: string, part: bigint, whole: bigint) => whole <= 0n ? [] : [25n, 50n].filter(limit => sizeOf(part) * 100n > limit * whole).map(limit => `${name}_${limit}`)
    const parts = { monto: added, aumento: up, reduccion: down }
    const ofAmounts = Object.entries(parts).flatMap(([name, part]) => warnings(name, part, this.original))
    return [...Object.values(parts).map(part => percent(part, this.original)), percent(days, term), [...ofAmounts, ...warnings('dias', days, term)]]
  }

  create (monto: bigint, dias: number, conAnticipo: boolean): Outcome {
    this.convenios.push({ numero: this.convenios.length + 1, monto, dias, conAnticipo, estado: 'borrador' })
    return accepted(201)
  }

  edit (convenio: ModelConvenio, monto: bigint, dias: number, conAnticipo: boolean): Outcome {
    const isSame = convenio.monto === monto && convenio.dias === dias && convenio.conAnticipo === conAnticipo
    if (!isSame && convenio.estado !== 'borrador') return conflict
    Object.assign(convenio, { monto, dias, conAnticipo })
    return accepted(200)
  }

  move (convenio: ModelConvenio, estado: string): Outcome {
    const { monto, dias, estado: from } = convenio
    if (estado === from) return accepted(200)
    if (transitions[from]?.includes(estado) !== true) return invalid(['estado'])
    const wrong: string[] = []
    const left = this.extra - (from === 'autorizado' ? positive(monto) : 0n)
    if (estado === 'firmado') {
      const end = this.end === null ? null : this.end + dias
      if (dias !== 0 && (end === null || end < 0)) wrong.push('dias')
      if (this.monto + monto < positive(this.authorized - left)) wrong.push('monto')
    } else if (from === 'autorizado' && monto > 0n && this.authorized > this.monto + left) {
      wrong.push('estado')
    }
    if (wrong.length > 0) return invalid(wrong)
    convenio.estado = estado
    return accepted(200)
  }

  remove (convenio: ModelConvenio): Outcome {
    if (convenio.estado !== 'borrador' || convenio !== this.convenios.at(-1)) return conflict
    this.convenios.pop()
    return accepted(204)
  }

  amend (monto: bigint, end: number | null): Outcome {
    const wrong: string[] = []
    const isAgreed = this.signed.length > 0
    if (isAgreed ? monto !== this.monto : monto < this.authorized - this.extra) wrong.push('monto')
    if (isAgreed ? end !== this.end : end !== null && end < 0) wrong.push('fecha_fin')
    if (wrong.length > 0) return invalid(wrong)
    if (!isAgreed) Object.assign(this, { original: monto, originalEnd: end })
    return accepted(200)
  }

  bill (monto: bigint): Outcome {
    this.estimates.push({ monto })
    return accepted(201)
  }

  authorize (estimate: ModelEstimate): Outcome {
    if (estimate.fixed !== undefined) return accepted(200)
    if (this.authorized + estimate.monto > this.monto + this.extra) return invalid(['monto'])
    estimate.order = 1 + Math.max(0, ...this.estimates.map(({ order = 0 }) => order))
    estimate.fixed = this.repayment(estimate)
    return accepted(200)
  }

  undo (estimate: ModelEstimate): Outcome {
    if (estimate.fixed === undefined) return accepted(200)
    if (this.estimates.some(({ order = 0 }) => order > (estimate.order ?? 0))) return invalid(['estado'])
    Object.assign(estimate, { fixed: undefined, order: undefined })
    return accepted(200)
  }
}

/** A part in percent with two decimals. */
function percent (part: bigint, whole: bigint): string | null {
  return whole <= 0n ? null : decimal(rounded(part * 10_000n, whole))
}
