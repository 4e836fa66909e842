import type { Cell, Content, Sheet, Text, Width } from './content.ts'
import { muted } from './colors.ts'
import { wrapped } from './formats.ts'

/**
 * A document of letter size. Each page has the folio, the title and its number.
 * @param frame what its pages have beside the content
 * @param content its parts, from top to bottom
 * @returns the document to render
 */
export function letter (frame: Omit<Sheet, 'content'>, content: Content[]): Sheet {
  return {
    ...frame,
    content: [
      { text: wrapped(frame.company), fontSize: 13, bold: true },
      { text: wrapped(frame.title), fontSize: 12, margin: [0, 2, 0, 8] },
      ...content
    ]
  }
}

/** Text at the right edge of its column. @param bold whether its letters are bold @returns a cell of a table */
export function right (text: string, bold = false): Text {
  return { text, alignment: 'right', bold }
}

/** A cell of the head of a table. @param alignment the edge at which its text is @returns the cell */
export function head (text: string, alignment: 'left' | 'right' = 'right'): Text {
  return { text, alignment, bold: true, fillColor: '#e8edf3' }
}

/** A heading above other parts. @returns a line of text that stays with the next part */
export function heading (text: string): Text {
  return { text, bold: true, fontSize: 10, margin: [0, 10, 0, 3], keepsNext: true }
}

/** A name and its value. */
export type Fact = readonly [name: string, value: string]

/** Names and their values. @param rows from top to bottom @returns a table without lines */
export function facts (rows: Fact[]): Content {
  return {
    widths: ['auto', '*'],
    head: [],
    rows: rows.map(([name, value]) => [{ text: name, color: muted }, wrapped(value)]),
    gap: 4,
    isLined: false
  }
}

/** A row of a table of amounts. A result is bold. */
export type AmountRow = readonly [name: string, value: string, isResult?: boolean]

/** Names and their amounts under a caption. */
export function amountTable (caption: string, rows: AmountRow[]): Content {
  const cells = rows.map(([name, value, isResult = false]): Cell[] => [{ text: name, bold: isResult }, right(value, isResult)])
  const title: Text = { text: caption, bold: true, color: muted, margin: [0, 4, 0, 1], keepsNext: true }
  return { stack: [title, lined(['*', 'auto'], [], cells)], margin: [0, 0, 0, 4] }
}

/** A table with a head, which each of its pages repeats. @param head its cells @param rows the cells of each row @returns the table */
export function table (widths: Width[], head: Cell[], rows: Cell[][]): Content {
  return lined(widths, [head], rows)
}

/** Parts side by side. @param columns the parts of each column, from top to bottom @returns columns of equal width */
export function beside (...columns: Content[][]): Content {
  return { columns, gap: 24 }
}

/** What a table shows. */
interface LongTable {
  /** Title, which its pages repeat. */
  title: string
  widths: Width[]
  head: Cell[]
  rows: Cell[][]
}

/** A table of any number of rows. @returns the table, with its title and head at the top of each of its pages */
export function longTable ({ title, widths, head, rows }: LongTable): Content {
  return { ...lined(widths, [[{ ...heading(title), colSpan: widths.length }], head], rows), fontSize: 8 }
}

/**
 * Lines to sign on.
 * @param signers what each one does, and in which role
 * @param name text below each line
 * @returns columns that stay on one page, with the end of the part before
 */
export function signatures (signers: ReadonlyArray<readonly [act: string, role: string]>, name: string): Content {
  return { signers, name }
}

function lined (widths: Width[], head: Cell[][], rows: Cell[][]) {
  return { widths, head, rows, gap: 8, isLined: true }
}
