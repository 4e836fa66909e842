import { rounded, share, sum } from './exact.ts'

/** Percentages of an estimate in hundredths of a percent. The retention is before or after tax. */
export interface Terms { anticipo: bigint, retencion: bigint, iva: bigint, derechos: bigint, isBeforeTax: boolean }

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

/** What the amounts of an estimate are derived from, in cents. */
export interface Given {
  tipo?: 'ordinaria' | 'anticipo' | 'finiquito'
  monto: bigint
  anticipo?: bigint
  deductivas?: bigint
  /** The part of `monto` that repays no advance. */
  sinAnticipo?: bigint
  movements?: ReadonlyArray<Pick<Movement, 'sentido' | 'antes_iva' | 'importe'> & Partial<Movement>>
}

/** The derived amounts of an estimate, in cents. */
export interface Amounts {
  amortizacion: bigint
  retencion: bigint
  cargos_antes_iva: bigint
  subtotal: bigint
  iva: bigint
  derechos: bigint
  cargos_despues_iva: bigint
  neto: bigint
}

export const greatest = (a: bigint, b: bigint): bigint => a > b ? a : b
const least = (a: bigint, b: bigint) => a < b ? a : b

/** An amount with the sign of its movement: charges are positive. */
export const signed = ({ sentido }: Pick<Movement, 'sentido'>, amount: bigint): bigint => sentido === 'cargo' ? amount : -amount

/**
 * What is left of the advance of a contract. Documents say what was delivered, and more can be repaid; then it is negative. Without a document,
 * the agreed advance counts.
 */
export function advanceLeft (agreed: bigint, delivered: bigint, repaid: bigint): bigint {
  return delivered > 0n ? delivered - repaid : greatest(0n, agreed - repaid)
}

/**
 * The amounts of an estimate that is not authorized, as works.md describes them in §5 and §7. All models of tests take them from here.
 * @param left of the advance of the contract
 * @returns the amounts, and that of each movement by id
 */
export function amountsOf (given: Given, terms: Terms, left: bigint): { amounts: Amounts, movements: Map<number, bigint> } {
  const { tipo = 'ordinaria', monto, anticipo = 0n, deductivas = 0n, sinAnticipo = 0n, movements = [] } = given
  const { isBeforeTax } = terms
  const repaid = { ordinaria: greatest(0n, least(left, share(monto - sinAnticipo, terms.anticipo))), anticipo: 0n, finiquito: left }[tipo]
  const kept = tipo === 'ordinaria' ? share(monto - repaid, terms.retencion) : 0n
  const own = new Map<number, bigint>()
  const charges = (isBefore: boolean, bases: Record<Movement['base'], bigint>) => sum(movements
    .filter(movement => movement.antes_iva === isBefore)
    .map((movement) => {
      const { id = 0, importe, porcentaje, base = 'monto' } = movement
      const amount = importe ?? rounded(greatest(0n, bases[base]) * (porcentaje ?? 0n), 100_000_000n)
      own.set(id, amount)
      return signed(movement, amount)
    }))
  const before = charges(true, { monto, subtotal: 0n, iva: 0n })
  const subtotal = monto + anticipo - repaid - deductivas - (isBeforeTax ? kept : 0n) - before
  const iva = share(subtotal, terms.iva)
  const after = charges(false, { monto, subtotal, iva })
  const derechos = share(monto, terms.derechos)
  const neto = subtotal + iva - derechos - (isBeforeTax ? 0n : kept) - after
  const amounts = {
    amortizacion: repaid, retencion: kept, cargos_antes_iva: before, subtotal, iva, derechos, cargos_despues_iva: after, neto
  }
  return { amounts, movements: own }
}
