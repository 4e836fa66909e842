import { sum } from '../../../support/exact.ts'
import { accepted, conflict, invalid, type Outcome } from '../outcome.ts'
import { amountOf, Works, type Convenio, type Estimate, type Row } from './works.ts'

const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['enviada'],
  rechazada: ['borrador'],
  cancelada: []
}
const ofConvenio: Record<string, string[]> = {
  borrador: ['enviado', 'cancelado'],
  enviado: ['autorizado', 'borrador', 'cancelado'],
  autorizado: ['firmado', 'borrador', 'cancelado'],
  firmado: [],
  cancelado: []
}

/** The works, with the outcome of each request and what it changes. */
export class Model extends Works {
  #authorizations = 0

  create (given: bigint): Outcome {
    this.estimates.push({ numero: this.estimates.length + 1, estado: 'borrador', given, lines: [] })
    return accepted(201)
  }

  measure (estimate: Estimate, row: Row, cantidad: bigint): Outcome {
    if (estimate.estado !== 'borrador') return conflict
    if (row.cantidad < 0n) return invalid(['concepto'])
    estimate.lines.push({ row, cantidad })
    return accepted(201)
  }

  change (estimate: Estimate, index: number, cantidad: bigint): Outcome {
    const line = estimate.lines[index]
    if (cantidad === line.cantidad) return accepted(200)
    if (estimate.estado !== 'borrador') return conflict
    line.cantidad = cantidad
    return accepted(200)
  }

  unmeasure (estimate: Estimate, index: number): Outcome {
    if (estimate.estado !== 'borrador') return conflict
    estimate.lines.splice(index, 1)
    if (estimate.lines.length === 0) estimate.given = 0n
    return accepted(204)
  }

  move (estimate: Estimate, to: string): Outcome {
    if (to === estimate.estado) return accepted(200)
    const wrong: string[] = []
    if (transitions[estimate.estado]?.includes(to) !== true) wrong.push('estado')
    const monto = this.montoOfEstimate(estimate)
    if (['enviada', 'autorizada'].includes(to) && estimate.fixed === undefined) {
      const { subtotal, neto } = this.amounts(estimate)
      if (monto < 0n) wrong.push('monto')
      if (subtotal < 0n || neto < 0n) wrong.push('deductivas')
    }
    if (to === 'autorizada' && estimate.fixed === undefined) wrong.push(...this.#refusals(estimate))
    if (to === 'enviada' && estimate.order !== undefined && estimate.order < this.#authorizations) wrong.push('estado')
    if (wrong.length > 0) return invalid(wrong)
    if (to === 'autorizada') {
      const [fixed, report] = [this.amounts(estimate), this.report(estimate)]
      Object.assign(estimate, { fixed, report, order: ++this.#authorizations })
    } else if (estimate.fixed !== undefined) {
      delete estimate.fixed
      delete estimate.report
      delete estimate.order
      this.#authorizations--
    }
    estimate.estado = to
    return accepted(200)
  }

  #refusals (estimate: Estimate): string[] {
    const rows = this.rowsOf(estimate)
    const total = (clave: string) => sum(this.rows.filter(row => row.clave === clave).map(row => this.estimated(row) + this.quantity(estimate, row)))
    const monto = this.montoOfEstimate(estimate)
    const allHaveLines = [...this.authorized, estimate].every(one => one.lines.length > 0 || one.given === 0n)
    const isRounding = allHaveLines && this.rows.every(({ clave }) => total(clave) <= this.agreed(clave))
    return [
      ...this.montoEstimado + monto > this.monto + this.extra && !isRounding ? ['monto'] : [],
      ...rows.some(({ convenio }) => convenio !== undefined && !['autorizado', 'firmado'].includes(convenio.estado)) ? ['estado'] : [],
      ...rows.some(row => this.estimated(row) + this.quantity(estimate, row) < 0n) ? ['estado'] : [],
      ...rows.some(({ alzado, clave }) => alzado && total(clave) > this.vigente(clave)) ? ['estado'] : []
    ]
  }

  /** Whether authorized amounts above the contract are cents of rounding, with a change order in another state. */
  #isRoundingIn (convenio: Convenio, estado: string): boolean {
    const before = convenio.estado
    convenio.estado = estado
    const executed = (clave: string) => sum(this.rows.filter(row => row.clave === clave).map(row => this.estimated(row)))
    const isRounding = this.authorized.every(one => one.lines.length > 0 || one.given === 0n) && this.rows.every(({ clave }) => executed(clave) <= this.agreed(clave))
    convenio.estado = before
    return isRounding
  }

  /** Whether the original catalogue is closed. */
  get isClosed (): boolean {
    return this.convenios.some(({ estado }) => ['autorizado', 'firmado'].includes(estado)) || this.authorized.some(({ lines }) => lines.length > 0)
  }

  /** A change of an original row. */
  reprice (row: Row, cantidad: bigint, precio: bigint): Outcome {
    if (cantidad === row.cantidad && precio === row.precio) return accepted(200)
    if (this.isClosed) return conflict
    if (precio !== row.precio && this.rows.some(other => other !== row && other.clave === row.clave && other.precio !== precio)) return invalid(['precio_unitario'])
    const changed = { ...row, cantidad, precio }
    if (this.monto - amountOf(row.cantidad, row) + amountOf(cantidad, changed) < this.montoEstimado) {
      if (amountOf(cantidad, changed) < amountOf(row.cantidad, row)) return invalid(['cantidad'])
    }
    Object.assign(row, { cantidad, precio })
    return accepted(200)
  }

  moveConvenio (convenio: Convenio, to: string): Outcome {
    if (to === convenio.estado) return accepted(200)
    if (ofConvenio[convenio.estado]?.includes(to) !== true) return invalid(['estado'])
    const own = this.montoOf(convenio)
    const extra = this.extra - (convenio.estado === 'autorizado' && own > 0n ? own : 0n)
    const isRounding = this.#isRoundingIn(convenio, to)
    const wrong: string[] = []
    if (convenio.estado === 'autorizado' && to !== 'firmado') {
      const isUsed = this.authorized.some(estimate => this.rowsOf(estimate).some(row => row.convenio === convenio))
      if (isUsed || (own > 0n && this.montoEstimado > this.monto + extra && !isRounding)) wrong.push('estado')
    }
    if (to === 'firmado') {
      if (this.monto + own < 0n || (own < 0n && this.monto + own + extra < this.montoEstimado && !isRounding)) wrong.push('monto')
      const reduces = (row: Row) => row.convenio === convenio && row.cantidad < 0n &&
        this.vigente(row.clave) + row.cantidad < sum(this.rows.filter(({ clave }) => clave === row.clave).map(one => this.estimated(one)))
      if (this.rows.some(reduces)) wrong.push('estado')
    }
    if (wrong.length > 0) return invalid(wrong)
    convenio.estado = to
    return accepted(200)
  }
}
