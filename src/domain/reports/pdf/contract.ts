import type { Static, TObject } from '@sinclair/typebox'
import type { Content } from './content.ts'
import type { Language } from '../../../http/messages.ts'
import type { AmountName } from '../amounts.ts'
import type { Advance } from '../anticipo.ts'
import type { contractFacts } from '../contract-facts.ts'
import { daysIn, grouped } from './formats.ts'
import { commonLabels } from './labels.ts'
import { amountTable, type AmountRow, type Fact } from './parts.ts'

type Contract = Static<TObject<typeof contractFacts>>

/** Amounts that lower the amount to pay, which documents show with a minus sign. */
const subtracted = new Set<AmountName>(['amortizacion', 'retencion', 'deductivas', 'cargos_antes_iva', 'derechos', 'cargos_despues_iva'])
/** Amounts that every document has. Others appear if one of their figures is not zero. */
const always = new Set<AmountName>(['monto', 'subtotal', 'iva', 'neto'])

/** Whether a document shows an amount with these figures. */
export function isShown (name: AmountName, values: string[]): boolean {
  return always.has(name) || values.some(value => Number(value) !== 0)
}

/** An amount as a document shows it. */
export function shown (name: AmountName, value: string): string {
  return grouped(value, subtracted.has(name))
}

/** What the contract is about, and with whom. */
export function contractAbout (
  { folio, descripcion, contraparte, contraparte_rfc: rfc, fecha_inicio: start, fecha_fin: end }: Contract, language: Language
): Fact[] {
  const say = commonLabels[language]
  return [
    [say.contract, folio],
    [say.scope, descripcion || '—'],
    [say.counterparty, `${contraparte ?? '—'}${rfc === null ? '' : ` · RFC ${rfc}`}`],
    [say.term, daysIn(language, start, end)]
  ]
}

/** The amount of the contract, what is estimated and what is left. */
export function contractAmounts (contract: Contract, estimated: string, left: string, language: Language): Content {
  const say = commonLabels[language]
  return amountTable(say.contract, [
    ...(['monto_original', 'convenios'] as const).map((name): AmountRow => [say.inForce[name], grouped(contract[name])]),
    [say.inForce.monto, grouped(contract.monto), true],
    ...Number(contract.sin_firma) === 0 ? [] : [[say.inForce.sin_firma, grouped(contract.sin_firma)] as const],
    [say.estimated, grouped(estimated)],
    [say.left, grouped(left)]
  ])
}

/** The advance, and what is left to repay. */
export function advanceAmounts (advance: Static<typeof Advance>, language: Language): Content {
  const say = commonLabels[language]
  return amountTable(
    say.advanceTitle, (['importe', 'amortizado', 'por_amortizar'] as const).map(name => [say.advance[name], grouped(advance[name])])
  )
}
