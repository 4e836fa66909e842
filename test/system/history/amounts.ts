import { advanceLeft, amountsOf as derived } from '../../support/estimate-amounts.ts'
import { share } from '../../support/exact.ts'
import { authorizedOf, isSettled, linesOf, ordered, sum, where, type Fields, type State } from './state.ts'

/** The derived amounts of an estimate. */
export interface Amounts { amortizacion: number, retencion: number, neto: number }

/** Rounds to cents, ties away from zero. */
const cents = (amount: number) => Math.sign(amount) * Math.round(Math.abs(amount) * 100) / 100
/** Pesos as cents, or a percentage in hundredths of a percent. */
const exact = (amount: number) => BigInt(Math.round(amount * 100))
const inexact = (amount: bigint) => Number(amount) / 100

/** The amount that authorized advance documents have delivered. */
export function delivered (state: State, contract: number): number {
  return sum(authorizedOf(state, contract), ({ anticipo }) => anticipo)
}

/** The advance that a contract agrees on, without change orders. */
export function agreed (state: State, contract: number): number {
  const { monto, anticipo_porcentaje: percentage } = state.contracts.get(contract) as Fields
  return inexact(share(exact(monto - ordered(state, contract, 'firmado')), exact(percentage)))
}

/** What is left of the advance of a contract, in cents. */
function leftOf (state: State, contract: number): bigint {
  if (isSettled(state, contract)) return 0n
  const repaid = sum(authorizedOf(state, contract), ({ amortizacion }) => amortizacion)
  return advanceLeft(exact(agreed(state, contract)), exact(delivered(state, contract)), exact(repaid))
}

/** The amount of the lines of an estimate that belong to change orders, which have no advance. */
function withoutAdvance (state: State, estimate: number): number {
  const rows = [...linesOf(state, estimate)].map(([concepto, cantidad]): Fields => ({ ...state.conceptos.get(concepto), cantidad }))
  return sum(rows.filter(({ convenio }) => convenio !== null), ({ cantidad, precio_unitario: price }) => cantidad * price)
}

/** The derived amounts of an estimate (works.md, 5): fixed since its authorization. Contracts of histories have no tax, so `subtotal` is `neto`. */
export function amountsOf (state: State, estimate: Fields): Amounts {
  const { id, contract, tipo, monto, anticipo, cargos, amortizacion: repaid, retencion: retained, neto } = estimate
  if (neto !== null) return { amortizacion: repaid, retencion: retained, neto }
  const { anticipo_porcentaje: advance, retencion_porcentaje: retention } = state.contracts.get(contract) as Fields
  const given = { tipo, monto: exact(monto), anticipo: exact(anticipo), sinAnticipo: exact(withoutAdvance(state, id)) }
  const movements = [{ sentido: 'cargo' as const, antes_iva: false, importe: exact(cargos) }]
  const terms = { anticipo: exact(advance), retencion: exact(retention), iva: 0n, derechos: 0n, isBeforeTax: true }
  const { amounts } = derived({ ...given, movements }, terms, leftOf(state, contract))
  return { amortizacion: inexact(amounts.amortizacion), retencion: inexact(amounts.retencion), neto: inexact(amounts.neto) }
}

/** What is left to pay of an estimate: nothing before its authorization. */
export function dueOf ({ neto, pagado }: Fields): number {
  return neto === null ? 0 : cents(neto - pagado)
}

/** The sum of amounts of pesos and cents. */
export const total = (records: Fields[]) => cents(sum(records, ({ importe }) => importe))

/** The charges of an estimate minus its returns. */
export function chargesOf (state: State, estimate: number): number {
  const [charges, returns] = ['cargo', 'abono'].map(sentido => total(where(state, 'movimientos', { estimate, sentido })))
  return cents(charges - returns)
}

/** What authorized estimates of a contract have taken with this `tipo` and not returned. The guarantee fund has their retentions. */
export function returnable (state: State, contract: number, tipo: string): number {
  const taken = authorizedOf(state, contract).map(({ id, retencion }) => {
    const movements = { estimate: id, tipo }
    const [charges, returns] = ['cargo', 'abono'].map(sentido => total(where(state, 'movimientos', { ...movements, sentido })))
    return charges - returns + (tipo === 'fondo_garantia' ? retencion : 0)
  })
  return cents(taken.reduce((sum, amount) => sum + amount, 0))
}

/** Whether the returns of an estimate are more than what is left to return. */
export function returnsMore (state: State, { id, contract }: Fields): boolean {
  const returns = where(state, 'movimientos', { estimate: id, sentido: 'abono' })
  return [...Map.groupBy(returns, ({ tipo }) => tipo as string)].some(([tipo, records]) => total(records) > returnable(state, contract, tipo))
}

/** Whether a movement is a return of more than what is left to return, with the other returns of its estimate. */
export function isTooMuch (state: State, { id, estimate, contract, tipo, sentido, importe }: Fields): boolean {
  const others = where(state, 'movimientos', { estimate, tipo, sentido: 'abono' }).filter(other => other['id'] !== id)
  return sentido === 'abono' && importe > cents(returnable(state, contract, tipo) - total(others))
}
