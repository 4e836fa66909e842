import type { Content, DocumentDefinition } from 'pdfmake'
import type { Language } from '../../../http/messages.ts'
import { locales, wrapped } from './formats.ts'

/** Color of names beside values. */
const muted = '#555555'

/** What frames the content of a document. */
interface Frame {
  language: Language
  company: string
  title: string
  /** Folio of the contract. */
  folio: string
  /** State that the pages show across their content. */
  watermark?: string | undefined
}

const pageOf = {
  es: (current: number, all: number) => `Página ${current} de ${all}`,
  en: (current: number, all: number) => `Page ${current} of ${all}`
} satisfies Record<Language, object>

/**
 * A document of letter size. Each page has the folio, the title and its number.
 * @param frame what its pages have beside the content
 * @param content its parts, from top to bottom
 * @returns the document, with margins in points (1/72 inch)
 */
export function letter (frame: Frame, content: Content[]): DocumentDefinition {
  const { language, company, title, folio, watermark } = frame
  return {
    pageSize: 'LETTER',
    pageMargins: [42, 42, 42, 50],
    info: { title: `${title}, ${folio}`, author: company },
    language: locales[language],
    defaultStyle: { fontSize: 9 },
    styles: { heading: { bold: true, fontSize: 10, margin: [0, 10, 0, 3] } },
    ...watermark === undefined ? {} : { watermark: { text: watermark, color: '#8a94a3', opacity: 0.15, bold: true } },
    footer: (current, all) => ({
      columns: [{ text: wrapped(`${folio} · ${title}`) }, { text: pageOf[language](current, all), alignment: 'right', width: 90 }],
      margin: [42, 14, 42, 0],
      fontSize: 8,
      color: muted
    }),
    content: [
      { text: wrapped(company), fontSize: 13, bold: true },
      { text: wrapped(title), fontSize: 12, margin: [0, 2, 0, 8] },
      ...content
    ]
  }
}

/** Text at the right edge of its column. @param bold whether its letters are bold @returns a cell of a table */
export function right (text: string, bold = false): Content {
  return { text, alignment: 'right', bold }
}

/** A cell of the head of a table. @param alignment the edge at which its text is @returns the cell */
export function head (text: string, alignment: 'left' | 'right' = 'right'): Content {
  return { text, alignment, bold: true, fillColor: '#e8edf3' }
}

/** A heading above other parts. @returns a line of text */
export function heading (text: string): Content {
  return { text, style: 'heading' }
}

/** A name and its value. */
export type Fact = readonly [name: string, value: string]

/** Names and their values. @param rows from top to bottom @returns a table without lines */
export function facts (rows: Fact[]): Content {
  return { table: { widths: ['auto', '*'], body: rows.map(([name, value]): Content[] => [{ text: name, color: muted }, wrapped(value)]) }, layout: 'noBorders' }
}

/** Lines between the rows of a table, black below the last one of `headRows`, none above it. The outer columns reach the margins of the page. */
function lined (headRows: number): object {
  return {
    hLineWidth: (line: number) => line < Math.max(1, headRows) ? 0 : 0.7,
    vLineWidth: () => 0,
    hLineColor: (line: number) => line === headRows ? 'black' : '#b5bac2',
    paddingLeft: (column: number) => column === 0 ? 0 : 8,
    paddingRight: (column: number, { table }: { table: { widths: unknown[] } }) => column === table.widths.length - 1 ? 0 : 8
  }
}

/** A row of a table of amounts. A result is bold. */
export type AmountRow = readonly [name: string, value: string, isResult?: boolean]

/** Names and their amounts under a caption. */
export function amountTable (caption: string, rows: AmountRow[]): Content {
  const body = rows.map(([name, value, isResult = false]): Content[] => [{ text: name, bold: isResult }, right(value, isResult)])
  return { stack: [{ text: caption, bold: true, color: muted, margin: [0, 4, 0, 1] }, { table: { widths: ['*', 'auto'], body }, layout: lined(0) }], margin: [0, 0, 0, 4] }
}

/** A table with a head. @param widths in points; `*` takes the rest of the page @param head its cells @param rows the cells of each row @returns the table */
export function table (widths: Array<number | '*' | 'auto'>, head: Content[], rows: Content[][]): Content {
  return { table: { headerRows: 1, widths, body: [head, ...rows] }, layout: lined(1) }
}

/** Parts side by side. @param columns the parts of each column, from top to bottom @returns columns of equal width */
export function beside (...columns: Content[][]): Content {
  return { columnGap: 24, columns: columns.map(stack => ({ stack })) }
}

/** What a table shows. */
interface LongTable {
  /** Title, which its pages repeat. */
  title: string
  /** In points. `*` takes the rest of the page, `auto` the width of the content. */
  widths: Array<number | '*' | 'auto'>
  head: Content[]
  rows: Content[][]
}

/** A table of any number of rows. @returns the table, with its title and head at the top of each of its pages */
export function longTable ({ title, widths, head, rows }: LongTable): Content {
  const above = [{ text: title, style: 'heading', colSpan: widths.length }, ...widths.slice(1).map(() => '')]
  return {
    table: { headerRows: 2, keepWithHeaderRows: 1, dontBreakRows: true, widths, body: [above, head, ...rows] },
    layout: lined(2),
    fontSize: 8
  }
}

/** Lines to sign on. @param signers what each one does, and in which role @param name text below each line @returns columns that stay on one page */
export function signatures (signers: ReadonlyArray<readonly [act: string, role: string]>, name: string): Content {
  // In points: four columns and the gaps between them are as wide as the content.
  const width = 114
  return {
    margin: [0, 48, 0, 0],
    unbreakable: true,
    columnGap: 24,
    columns: signers.map(([act, role]) => ({
      stack: [
        { text: act, bold: true, margin: [0, 0, 0, 34] },
        { canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 0.7 }] },
        { text: name, margin: [0, 3, 0, 0], fontSize: 7, color: muted },
        role
      ],
      fontSize: 8,
      alignment: 'center'
    }))
  }
}
