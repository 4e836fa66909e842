import { advanceLeft, amountsOf, type Amounts } from '../../../support/estimate-amounts.ts'
import { rounded, share, sum } from '../../../support/exact.ts'

/** Amounts in cents, quantities in units of 0.0001, prices in units of 0.000001, percentages in hundredths of a percent. */
export interface Row {
  clave: string
  convenio: Convenio | undefined
  cantidad: bigint
  precio: bigint
  alzado: boolean
}

/** A change order with its rows. */
export interface Convenio {
  estado: string
  conAnticipo: boolean
}

/** An estimate: its measurements, or a given amount. */
export interface Estimate {
  numero: number
  estado: string
  given: bigint
  lines: Array<{ row: Row, cantidad: bigint }>
  /** The amounts since the authorization. */
  fixed?: Amounts
  /** Position among the authorizations. */
  order?: number
  /** The report of an authorized estimate. */
  report?: Line[]
}

/** A line of the report. */
export interface Line {
  row: Row
  anterior: bigint
  periodo: bigint
  importeAnterior: bigint
  importe: bigint
  vigente: bigint
  excedente: bigint
}

/** The amount of a quantity of a row. */
export function amountOf (cantidad: bigint, { precio }: Row): bigint {
  return rounded(cantidad * precio, 100_000_000n)
}

/** A contract with a catalogue, change orders and estimates, and the figures that follow from them by works.md, in integers. */
export class Works {
  readonly rows: Row[]
  readonly convenios: Convenio[]
  readonly estimates: Estimate[] = []
  readonly anticipo: bigint
  readonly retencion: bigint

  constructor (rows: Row[], convenios: Convenio[], anticipo: bigint, retencion: bigint) {
    this.rows = rows
    this.convenios = convenios
    this.anticipo = anticipo
    this.retencion = retencion
  }

  montoOf (convenio: Convenio | undefined): bigint {
    return sum(this.rows.filter(row => row.convenio === convenio).map(row => amountOf(row.cantidad, row)))
  }

  #signed (conAnticipo?: boolean): bigint {
    return sum(this.convenios.filter(one => one.estado === 'firmado' && (conAnticipo === undefined || one.conAnticipo === conAnticipo)).map(one => this.montoOf(one)))
  }

  get monto (): bigint {
    return this.montoOf(undefined) + this.#signed()
  }

  get extra (): bigint {
    return sum(this.convenios.filter(({ estado }) => estado === 'autorizado').map(one => this.montoOf(one)).filter(monto => monto > 0n))
  }

  vigente (clave: string): bigint {
    const counts = ({ convenio, cantidad }: Row) => convenio === undefined || convenio.estado === 'firmado' || (convenio.estado === 'autorizado' && cantidad > 0n)
    return sum(this.rows.filter(row => row.clave === clave && counts(row)).map(({ cantidad }) => cantidad))
  }

  /** The quantity that the ceiling has. An order that waits for its signature raises it by its amount, reductions included. */
  agreed (clave: string): bigint {
    const counts = ({ convenio }: Row) => convenio === undefined || convenio.estado === 'firmado' || (convenio.estado === 'autorizado' && this.montoOf(convenio) > 0n)
    return sum(this.rows.filter(row => row.clave === clave && counts(row)).map(({ cantidad }) => cantidad))
  }

  get authorized (): Estimate[] {
    return this.estimates.filter(({ fixed }) => fixed !== undefined)
  }

  get montoEstimado (): bigint {
    return sum(this.authorized.map(estimate => this.montoOfEstimate(estimate)))
  }

  rowsOf ({ lines }: Estimate): Row[] {
    return this.rows.filter(row => lines.some(line => line.row === row))
  }

  quantity ({ lines }: Estimate, row: Row): bigint {
    return sum(lines.filter(line => line.row === row).map(({ cantidad }) => cantidad))
  }

  montoOfEstimate (estimate: Estimate): bigint {
    return estimate.lines.length === 0 ? estimate.given : sum(this.rowsOf(estimate).map(row => amountOf(this.quantity(estimate, row), row)))
  }

  amounts (estimate: Estimate): Amounts {
    if (estimate.fixed !== undefined) return estimate.fixed
    const monto = this.montoOfEstimate(estimate)
    const rows = this.rowsOf(estimate).filter(({ convenio }) => convenio?.conAnticipo === false)
    const sinAnticipo = sum(rows.map(row => amountOf(this.quantity(estimate, row), row)))
    const repaid = sum(this.authorized.map(({ fixed }) => fixed?.amortizacion ?? 0n))
    const left = advanceLeft(share(this.monto - this.#signed(false), this.anticipo), 0n, repaid)
    const terms = { anticipo: this.anticipo, retencion: this.retencion, iva: 1600n, derechos: 0n, isBeforeTax: true }
    return amountsOf({ monto, sinAnticipo }, terms, left).amounts
  }

  /** The quantity of a row in authorized estimates, before a number. */
  estimated (row: Row, before = Infinity): bigint {
    return sum(this.authorized.filter(({ numero }) => numero < before).map(estimate => this.quantity(estimate, row)))
  }

  report (estimate: Estimate): Line[] {
    if (estimate.report !== undefined) return estimate.report
    const claves = this.rowsOf(estimate).map(({ clave }) => clave)
    return this.rowsOf(estimate).map((row, index) => {
      const [periodo, anterior] = [this.quantity(estimate, row), this.estimated(row, estimate.numero)]
      const same = this.rows.filter(({ clave }) => clave === row.clave)
      const acumulada = sum(same.map(one => this.estimated(one, estimate.numero) + this.quantity(estimate, one)))
      const vigente = this.vigente(row.clave)
      // The excess of a clave is in its first row.
      const excedente = acumulada > vigente && claves.indexOf(row.clave) === index ? acumulada - vigente : 0n
      const earlier = this.authorized.filter(({ numero }) => numero < estimate.numero)
      const importeAnterior = sum(earlier.map(one => amountOf(this.quantity(one, row), row)))
      return { row, anterior, periodo, importeAnterior, importe: amountOf(periodo, row), vigente, excedente }
    })
  }

  warnings (estimate: Estimate): string[] {
    return [
      ...this.report(estimate).some(({ excedente }) => excedente > 0n) ? ['cantidad_excedida'] : [],
      ...this.rowsOf(estimate).some(({ convenio }) => convenio !== undefined && convenio.estado !== 'firmado') ? ['convenio_sin_firma'] : []
    ]
  }
}
