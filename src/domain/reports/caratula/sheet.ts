import type { Content, DocumentDefinition } from 'pdfmake'
import type { Language } from '../../../http/messages.ts'
import { amountNames, type AmountName } from '../amounts.ts'
import { advanceAmounts, contractAbout, contractAmounts, isShown, shown } from '../pdf/contract.ts'
import { daysIn, grouped, percent, wrapped } from '../pdf/formats.ts'
import { commonLabels } from '../pdf/labels.ts'
import { amountTable, beside, facts, head, heading, letter, longTable, right, signatures, table } from '../pdf/parts.ts'
import { amountInWords } from '../pdf/words.ts'
import { labels } from './labels.ts'
import type { CaratulaFigures } from './schemas.ts'

/** Amounts in bold. */
const results = new Set<AmountName>(['subtotal', 'neto'])

/** Percentages that determine an amount. */
const percentages: Partial<Record<AmountName, keyof CaratulaFigures['porcentajes']>> = {
  amortizacion: 'anticipo', retencion: 'retencion', iva: 'iva', derechos: 'derechos'
}

/** States that nobody has to distinguish from a signed sheet. */
const final = new Set<CaratulaFigures['estado']>(['autorizada', 'pagada'])

/** The cover sheet of an estimate, to sign. @param report as in the JSON answer @param language of its texts @returns the document to render */
export function caratulaSheet (report: CaratulaFigures, language: Language): DocumentDefinition {
  const { titles, number, states, signers, name } = labels[language]
  const { tipo, numero, estado, company_nombre: company, contract, importes, por_estimar: left } = report
  const frame = {
    language,
    company,
    title: `${titles[tipo]} ${number} ${numero}`,
    folio: contract.folio,
    watermark: final.has(estado) ? undefined : states[estado]
  }
  return letter(frame, [
    about(report, language),
    ...amounts(report, language),
    beside(
      [contractAmounts(contract, importes.monto.acumulado, left, language)],
      [advanceAmounts(report.anticipo, language), progress(report, language)]
    ),
    ...chapters(report, language),
    signatures(signers, name)
  ])
}

/** The contract, the period and the work. */
function about ({ contract, ...report }: CaratulaFigures, language: Language): Content {
  const say = labels[language]
  return facts([
    ...contractAbout(contract, language),
    [say.period, daysIn(language, report.periodo_inicio, report.periodo_fin)],
    ...report.descripcion === '' ? [] : [[say.work, report.descripcion] as const],
    ...report.factura_uuid === null ? [] : [[say.invoice, report.factura_uuid] as const],
    [say.state, say.states[report.estado]]
  ])
}

/** How the amount to pay follows from the work, before the estimate, in it, and with it, and the amount in words. */
function amounts ({ importes, porcentajes, contract }: CaratulaFigures, language: Language): Content[] {
  const say = labels[language]
  const named = (name: AmountName) => {
    const percentage = percentages[name]
    const label = commonLabels[language].amounts[name]
    return percentage === undefined ? label : `${label} (${percent(porcentajes[percentage])})`
  }
  const rows = amountNames.filter(name => isShown(name, Object.values(importes[name]))).map((name): Content[] => {
    const { anterior, periodo, acumulado } = importes[name]
    const isResult = results.has(name)
    return [{ text: named(name), bold: isResult }, ...[anterior, periodo, acumulado].map(value => right(shown(name, value), isResult))]
  })
  const words = amountInWords(importes.neto.periodo, contract.moneda, language)
  return [
    heading(`${say.amounts} (${contract.moneda})`),
    table(['*', 90, 90, 90], [head('', 'left'), head(say.before), head(say.present), head(say.accumulated)], rows),
    words === undefined ? '' : { text: `(${words})`, italics: true, margin: [0, 6, 0, 8] }
  ]
}

/** How far the work, its programme and its payment are. */
function progress (report: CaratulaFigures, language: Language): Content {
  const say = labels[language]
  const known = (['avance_programado', 'avance', 'avance_financiero'] as const).filter(name => report[name] !== null)
  return known.length === 0 ? '' : amountTable(say.progressTitle, known.map(name => [say.progress[name], percent(report[name])]))
}

/** The catalogue by chapter, if there is one. */
function chapters ({ capitulos }: CaratulaFigures, language: Language): Content[] {
  if (capitulos.length === 0) return []
  const say = labels[language]
  return [longTable({
    title: say.chapters,
    widths: ['*', 'auto', 'auto', 'auto', 'auto', 'auto'],
    head: [head(say.chapter, 'left'), ...[say.agreed, say.before, say.present, say.accumulated, '%'].map(text => head(text))],
    rows: capitulos.map(row => [
      wrapped(row.capitulo || say.noChapter),
      ...[row.importe, row.anterior, row.periodo, row.acumulado].map(value => right(grouped(value))),
      right(row.avance === null ? '—' : grouped(row.avance))
    ])
  })]
}
