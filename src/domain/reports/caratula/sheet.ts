import type { Cell, Content, Sheet } from '../pdf/content.ts'
import type { Language } from '../../../http/messages.ts'
import { amountNames, type AmountName } from '../amounts.ts'
import { advanceAmounts, contractAbout, contractAmounts, isShown, shown } from '../pdf/contract.ts'
import { dayIn, daysIn, grouped, percent, wrapped } from '../pdf/formats.ts'
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

/** The state that the sheet shows: a payment does not change it. */
const shownState = (estado: CaratulaFigures['estado']) => estado === 'pagada' ? 'autorizada' : estado

/**
 * The cover sheet of an estimate, to sign.
 * @param report as in the JSON answer
 * @param language of its texts
 * @returns the document to render
 */
export function caratulaSheet (report: CaratulaFigures, language: Language): Sheet {
  const { titles, number, states, signers, name } = labels[language]
  const { tipo, numero, estado, company_nombre: company, contract, importes, por_estimar: left } = report
  const frame = {
    language,
    company,
    title: `${titles[tipo]} ${number} ${numero}`,
    folio: contract.folio,
    watermark: shownState(estado) === 'autorizada' ? undefined : states[shownState(estado)]
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
    [say.state, `${say.states[shownState(report.estado)]}${report.fecha === null ? '' : ` · ${dayIn(language, report.fecha)}`}`]
  ])
}

/** Sums of movements, which the sheet shows one by one. */
const listed: Partial<Record<AmountName, boolean>> = { cargos_antes_iva: true, cargos_despues_iva: false }

/** How the amount to pay follows from the work, before the estimate, in it, and with it, and the amount in words. */
function amounts (report: CaratulaFigures, language: Language): Content[] {
  const { importes, movimientos, contract } = report
  const say = labels[language]
  const cells = (name: AmountName, label: string, { anterior, periodo, acumulado }: CaratulaFigures['importes'][AmountName]): Cell[] => {
    const isResult = results.has(name)
    return [{ text: wrapped(label), bold: isResult }, ...[anterior, periodo, acumulado].map(value => right(shown(name, value), isResult))]
  }
  const rows = amountNames.flatMap((name) => {
    const isBefore = listed[name]
    if (isBefore !== undefined) {
      return movimientos.filter(movement => movement.antes_iva === isBefore)
        .map(movement => cells(name, `${commonLabels[language].movements[movement.tipo]}: ${movement.motivo}`, movement))
    }
    return isShown(name, Object.values(importes[name])) ? [cells(name, labelOf(name, report, language), importes[name])] : []
  })
  const { periodo: net } = importes.neto
  const words = amountInWords(net.replace('-', ''), contract.moneda, language)
  return [
    heading(`${say.amounts} (${contract.moneda})`),
    table(['*', 90, 90, 90], [head('', 'left'), head(say.before), head(say.present), head(say.accumulated)], rows),
    words === undefined ? '' : { text: `(${isOwed(net) ? say.due.words.toUpperCase() : ''}${words})`, italics: true, margin: [0, 6, 0, 8] }
  ]
}

/** The contractor owes the amount to the client. */
const isOwed = (net: string) => Number(net) < 0

/** The name of an amount, with the percentage that determines it. */
function labelOf (name: AmountName, { importes, porcentajes }: CaratulaFigures, language: Language): string {
  if (name === 'neto' && isOwed(importes.neto.periodo)) return labels[language].due.neto
  const percentage = percentages[name]
  const label = commonLabels[language].amounts[name]
  return percentage === undefined ? label : `${label} (${percent(porcentajes[percentage])})`
}

/** How far the work and its programme are. */
function progress (report: CaratulaFigures, language: Language): Content {
  const say = labels[language]
  const known = (['avance_programado', 'avance'] as const).filter(name => report[name] !== null)
  return known.length === 0 ? '' : amountTable(say.progressTitle, known.map(name => [say.progress[name], percent(report[name])]))
}

/** The catalogue by chapter, if there is one, with its total. */
function chapters ({ capitulos, capitulos_total: total }: CaratulaFigures, language: Language): Content[] {
  if (capitulos.length === 0) return []
  const say = labels[language]
  const isAnyUnsigned = capitulos.some(({ sin_firma: unsigned }) => Number(unsigned) !== 0)
  const cells = (label: string, row: typeof total, isTotal = false): Cell[] => [
    { text: wrapped(label), bold: isTotal },
    ...[row.importe, ...isAnyUnsigned ? [row.sin_firma] : [], row.anterior, row.periodo, row.acumulado].map(value =>
      right(grouped(value), isTotal)),
    right(row.avance === null ? '—' : grouped(row.avance), isTotal)
  ]
  const heads = [say.agreed, ...isAnyUnsigned ? [say.unsigned] : [], say.before, say.present, say.accumulated, '%']
  return [longTable({
    title: say.chapters,
    widths: ['*', ...heads.map(() => 'auto' as const)],
    head: [head(say.chapter, 'left'), ...heads.map(text => head(text))],
    rows: [...capitulos.map(row => cells(row.capitulo || say.noChapter, row)), cells(say.total, total, true)]
  })]
}
