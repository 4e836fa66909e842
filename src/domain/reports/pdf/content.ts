import type { Language } from '../../../http/messages.ts'

/** How text looks. Sizes are in points (1/72 inch). */
export interface Style {
  bold?: boolean
  italics?: boolean
  fontSize?: number
  color?: string
  alignment?: 'left' | 'right' | 'center'
}

/** Space around a part in points: left, top, right, bottom. */
type Margin = readonly [left: number, top: number, right: number, bottom: number]

/** A text that breaks into lines, in a cell of a table or by itself. */
export interface Text extends Style {
  text: string
  margin?: Margin
  /** Columns of the table that it takes. The cells of the others are not shown. */
  colSpan?: number
  /** Color of the cell. */
  fillColor?: string
  /** Whether it stays on the page of the beginning of the next part. */
  keepsNext?: boolean
}

/** A text, or its words alone. */
export type Cell = string | Text

/** The width of a column in points. `*` takes the rest of the page, `auto` the width of the content. */
export type Width = number | '*' | 'auto'

/** A table. */
export interface Table {
  widths: Width[]
  /** Rows that each of its pages repeats. */
  head: Cell[][]
  rows: Cell[][]
  /** Space in points between two columns, on each side. */
  gap: number
  isLined: boolean
  fontSize?: number
}

/** A part of a sheet. An empty text takes no place. */
export type Content =
  | Cell
  | Table
  | { stack: Content[], margin: Margin }
  | { columns: Content[][], gap: number }
  | { signers: ReadonlyArray<readonly [act: string, role: string]>, name: string }

/** A document of letter size. */
export interface Sheet {
  language: Language
  company: string
  title: string
  /** Folio of the contract. */
  folio: string
  /** State that the pages show behind their content. */
  watermark?: string | undefined
  /** From top to bottom. */
  content: Content[]
}
