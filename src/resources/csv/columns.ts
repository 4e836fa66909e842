import type { TObject, TSchema } from '@sinclair/typebox'
import type { Row } from '../../database/connection/sql.ts'

/** A column of a CSV file. */
export interface Column {
  name: string
  /** The text of a cell. */
  print: (value: unknown) => string
}

/** The columns of records: the fields of their schema, in its order. @param wanted only these fields */
export function columnsOf ({ properties }: TObject, wanted?: readonly string[]): Column[] {
  return Object.entries(properties)
    .filter(([name]) => wanted === undefined || wanted.includes(name))
    .map(([name, schema]) => ({ name, print: isNumeric(schema) ? printed : value => defused(printed(value)) }))
}

/** The cells of a record. */
export function cellsOf (record: Row, columns: readonly Column[]): string[] {
  return columns.map(({ name, print }) => print(record[name]))
}

/** Whether a field has numbers only. Decimals are strings in JSON, and their pattern begins with a digit or a minus sign. */
function isNumeric ({ type, pattern }: TSchema): boolean {
  return type === 'integer' || type === 'number' || /^\^(?:-\?)?\\d/.test(pattern ?? '')
}

/** Null is an empty cell. Lists and objects are JSON. */
function printed (value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A text that a spreadsheet could take for a formula, or one that {@link defused} could have made. */
const looksLikeFormula = /^'*[=+\-@\t\r]/

/** Adds an apostrophe to a text that a spreadsheet could take for a formula (OWASP, CSV injection). */
function defused (text: string): string {
  return looksLikeFormula.test(text) ? `'${text}` : text
}

/** The text before {@link defused}. */
export function original (cell: string): string {
  return cell.startsWith("'") && looksLikeFormula.test(cell) ? cell.slice(1) : cell
}
