import type { Cell, Content, Sheet } from '../pdf/content.ts'
import type { Language } from '../../../http/messages.ts'
import { amountNames } from '../amounts.ts'
import { advanceAmounts, contractAbout, contractAmounts, isShown, shown } from '../pdf/contract.ts'
import { dayIn, grouped, wrapped } from '../pdf/formats.ts'
import { commonLabels } from '../pdf/labels.ts'
import { amountTable, beside, facts, head, heading, letter, longTable, right, type AmountRow } from '../pdf/parts.ts'
import { labels } from './labels.ts'
import type { EstadoDeCuentaFigures } from './schemas.ts'

/**
 * The statement of account of a contract.
 * @param report as in the JSON answer
 * @param language of its texts
 * @returns the document to render
 */
export function accountSheet (report: EstadoDeCuentaFigures, language: Language): Sheet {
  const { title, currency, sums } = labels[language]
  const { folio, moneda, monto_estimado: estimated, por_estimar: left } = report
  return letter({ language, company: report.company_nombre, title, folio }, [
    facts([...contractAbout(report, language), [currency, moneda]]),
    heading(`${sums} (${moneda})`),
    beside(
      [contractAmounts(report, estimated, left, language), advanceAmounts(report.anticipo, language)],
      [billed(report, language), retained(report, language), taken(report, language)]
    ),
    documents(report, language)
  ])
}

/** How the balance follows from the work of the authorized estimates. */
function billed ({ importes, pagado: paid, saldo: balance }: EstadoDeCuentaFigures, language: Language): Content {
  const say = labels[language]
  const names = { ...commonLabels[language].amounts, neto: say.net }
  const inFavour = Number(balance) > 0 ? 'contractor' : Number(balance) < 0 ? 'client' : 'none'
  return amountTable(say.billed, [
    ...amountNames.filter(name => isShown(name, [importes[name]]))
      .map((name): AmountRow => [names[name], shown(name, importes[name]), name === 'neto']),
    [say.paid, grouped(paid, true)],
    [say.due[inFavour], grouped(balance.replace('-', '')), true]
  ])
}

/** What is retained and not returned, by kind. */
function retained ({ retenido }: EstadoDeCuentaFigures, language: Language): Content {
  if (retenido.length === 0) return ''
  const say = labels[language]
  return amountTable(say.retainedTitle, retenido.map(({ tipo, antes_iva: isBefore, importe }) => (
    [`${say.retained[tipo]}, ${isBefore ? say.beforeTax : say.afterTax}`, grouped(importe)])))
}

/** What else was taken, by kind. A contractor does not get it back. */
function taken (report: EstadoDeCuentaFigures, language: Language): Content {
  const say = labels[language]
  const names = (['penas', 'deducciones', 'impuestos', 'otros'] as const).filter(name => Number(report[name]) !== 0)
  return names.length === 0 ? '' : amountTable(say.takenTitle, names.map(name => [say.taken[name], grouped(report[name])]))
}

/** The documents and their payments, each with the balance after it, and the totals. */
function documents ({ documentos, neto, pagado, saldo }: EstadoDeCuentaFigures, language: Language): Content {
  const say = labels[language]
  const amount = (value: string | null) => right(value === null ? '' : grouped(value))
  const names = new Map(
    documentos.filter(({ tipo }) => tipo !== 'pago').map(({ tipo, id, numero }) => [id, `${say.kinds[tipo]} ${say.number} ${numero}`])
  )
  const rows = documentos.map(({ tipo, estimate, fecha, referencia, cargo, abono, saldo }): Cell[] => [
    tipo === 'pago' ? `${say.kinds.pago} ${names.get(estimate)}` : names.get(estimate) ?? '',
    dayIn(language, fecha),
    wrapped(referencia),
    amount(cargo),
    amount(abono),
    amount(saldo)
  ])
  const total = [{ text: say.total, bold: true }, '', '', ...[neto, pagado, saldo].map(value => right(grouped(value), true))]
  return longTable({
    title: say.documents,
    widths: ['auto', 'auto', '*', 'auto', 'auto', 'auto'],
    head: [
      ...[say.document, say.day, say.reference].map(text => head(text, 'left')),
      ...[say.charge, say.payment, say.balance].map(text => head(text))
    ],
    rows: rows.length === 0 ? [[{ text: say.none, colSpan: 6 }, '', '', '', '', '']] : [...rows, total]
  })
}
