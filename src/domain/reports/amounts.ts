import { Type, type TString } from '@sinclair/typebox'
import { Amount } from '../../resources/declaration/schemas.ts'

/** Amounts of estimates in reports, in the order in which they follow from each other. */
export const amountNames = [
  'monto', 'anticipo', 'amortizacion', 'retencion', 'deductivas', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva',
  'neto'
] as const

/** One of {@link amountNames}. */
export type AmountName = typeof amountNames[number]

/** Schema of an amount in a report. */
export function Importe (description: string, example: string): TString {
  return Type.String({ ...Amount, description, examples: [example] })
}
