import type { Content, DocumentDefinition } from 'pdfmake'
import type { Language } from '../../../../http/messages.ts'
import type { CaratulaFigures } from '../schemas.ts'
import { labels } from './labels.ts'
import { amountInWords } from './words.ts'

/** Amounts that lower the amount to pay, which the sheet shows with a minus sign. */
const subtracted = new Set(['amortizacion', 'retencion', 'deductivas', 'cargos_antes_iva', 'derechos', 'cargos_despues_iva'])
/** Amounts in bold. */
const results = new Set(['subtotal', 'neto'])
/** Amounts that every sheet has. Others appear if one of their figures is not zero. */
const always = new Set(['monto', 'subtotal', 'iva', 'neto'])

/** States that nobody has to distinguish from a signed sheet. */
const final = new Set(['autorizada', 'pagada'])

/** A decimal with separators between its thousands, and the other sign if it is subtracted. */
function grouped (decimal: string, isSubtracted = false): string {
  const [, sign, digits = '', places = ''] = /^(-?)(\d+)(\.\d+)$/.exec(decimal) ?? []
  const isZero = /^0*$/.test(digits + places.slice(1))
  const isNegative = !isZero && (sign === '-') !== isSubtracted
  return `${isNegative ? '-' : ''}${digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${places}`
}

/** Text that a column can break: words longer than it would leave the page. */
const wrapped = (text: string) => text.replaceAll(/\S{40}/g, '$& ')

const right = (text: string, bold = false): Content => ({ text, alignment: 'right', bold })
const head = (text: string, alignment: 'left' | 'right' = 'right'): Content => ({ text, alignment, bold: true, fillColor: '#e8edf3' })

/** The cover sheet of an estimate as a page of letter size to sign. */
export function caratulaDocument (report: CaratulaFigures, language: Language): DocumentDefinition {
  const say = labels[language]
  const { contract, importes, anticipo, capitulos, avance, estado, tipo, numero } = report
  const day = new Intl.DateTimeFormat(say.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const days = (from: string | null, to: string | null) =>
    [from, to].map(date => date === null ? '…' : day.format(Date.parse(date))).join(' – ').replace(/^… – …$/, '—')
  const title = `${say.titles[tipo]} ${say.number} ${numero}`
  const percent = (value: string | null) => value === null ? '—' : `${grouped(value)} %`

  const about: Array<[string, string]> = [
    [say.contract, contract.folio],
    [say.scope, contract.descripcion || '—'],
    [say.counterparty, contract.contraparte ?? '—'],
    [say.term, days(contract.fecha_inicio, contract.fecha_fin)],
    [say.period, days(report.periodo_inicio, report.periodo_fin)],
    ...report.factura_uuid === null ? [] : [[say.invoice, report.factura_uuid] as [string, string]],
    [say.state, say.states[estado]]
  ]
  const shown = Object.entries(importes).filter(([name, { anterior, acumulado, periodo }]) =>
    always.has(name) || [anterior, periodo, acumulado].some(value => Number(value) !== 0))
  const amounts = shown.map(([name, { anterior, periodo, acumulado }]): Content[] => [
    { text: say.rows[name as keyof typeof say.rows], bold: results.has(name) },
    ...[anterior, periodo, acumulado].map(value => right(grouped(value, subtracted.has(name)), results.has(name)))
  ])
  const words = amountInWords(importes['neto']?.periodo ?? '', contract.moneda, language)
  const pairs = (rows: Array<[string, string]>): Content => ({
    table: { widths: ['*', 'auto'], body: rows.map(([name, value]): Content[] => [name, right(value)]) },
    layout: 'lightHorizontalLines'
  })
  const chapters: Content[] = capitulos.length === 0
    ? []
    : [
        { text: say.chapters, style: 'heading' },
        {
          table: {
            headerRows: 1,
            dontBreakRows: true,
            widths: ['*', 'auto', 'auto', 'auto', 'auto', 'auto'],
            body: [
              [head(say.chapter, 'left'), ...[say.agreed, say.before, say.present, say.accumulated, '%'].map(text => head(text))],
              ...capitulos.map((row): Content[] => [
                wrapped(row.capitulo || say.noChapter),
                ...[row.importe, row.anterior, row.periodo, row.acumulado].map(value => right(grouped(value))),
                right(row.avance === null ? '—' : grouped(row.avance))
              ])
            ]
          },
          layout: 'lightHorizontalLines',
          fontSize: 8
        }
      ]
  return {
    pageSize: 'LETTER',
    pageMargins: [42, 42, 42, 50],
    info: { title: `${title}, ${contract.folio}`, author: report.company_nombre },
    language: say.locale,
    defaultStyle: { fontSize: 9 },
    styles: { heading: { bold: true, fontSize: 10, margin: [0, 10, 0, 3] } },
    ...final.has(estado) ? {} : { watermark: { text: say.states[estado], color: '#8a94a3', opacity: 0.15, bold: true } },
    footer: (current, all) => ({
      columns: [{ text: `${contract.folio} · ${title}` }, { text: say.page(current, all), alignment: 'right' }],
      margin: [42, 14, 42, 0],
      fontSize: 8,
      color: '#555555'
    }),
    content: [
      { text: report.company_nombre, fontSize: 13, bold: true },
      { text: title, fontSize: 12, margin: [0, 2, 0, 8] },
      { table: { widths: ['auto', '*'], body: about.map(([name, value]): Content[] => [{ text: name, color: '#555555' }, wrapped(value)]) }, layout: 'noBorders' },
      { text: `${say.amounts} (${contract.moneda})`, style: 'heading' },
      {
        table: {
          headerRows: 1,
          widths: ['*', 90, 90, 90],
          body: [[head('', 'left'), head(say.before), head(say.present), head(say.accumulated)], ...amounts]
        },
        layout: 'lightHorizontalLines'
      },
      ...words === undefined ? [] : [{ text: `(${words})`, italics: true, margin: [0, 6, 0, 8] }],
      {
        columnGap: 24,
        columns: [
          pairs([
            ...(['monto_original', 'convenios', 'monto'] as const).map((name): [string, string] => [say.inForce[name], grouped(contract[name])]),
            [say.inForce.avance, percent(avance)]
          ]),
          pairs((['importe', 'amortizado', 'por_amortizar'] as const).map(name => [say.advance[name], grouped(anticipo[name])]))
        ]
      },
      ...chapters,
      {
        margin: [0, 60, 0, 0],
        unbreakable: true,
        columnGap: 24,
        columns: say.signatures.map(text => ({
          stack: [{ canvas: [{ type: 'line', x1: 0, y1: 0, x2: 155, y2: 0, lineWidth: 0.7 }] }, { text, margin: [0, 3, 0, 0] }],
          alignment: 'center'
        }))
      }
    ]
  }
}
