import type { Row } from '../../database/connection/sql.ts'
import { isSameRevision, type Revision } from '../../http/representation.ts'
import type { Pause } from '../../http/slices.ts'
import type { Spool } from '../../http/spool.ts'
import type { ListPart } from '../reading/whole-list.ts'
import { cellsOf, type Column } from './columns.ts'

/** Without it, spreadsheets take UTF-8 for the encoding of the operating system. */
const byteOrderMark = '\ufeff'

/** RFC 4180. The library quotes cells with delimiters, quotes and CRLF by itself, but not those with a single CR or LF. */
const format = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ }

/** Rows between two pauses. */
const rowsOfChunk = 20

/** Makes the texts of a CSV file: its header of field names, and the lines of rows. */
export async function csvOf (columns: readonly Column[]) {
  // Loaded on the first use.
  const { stringify } = await import('csv-stringify/sync')
  return {
    header: byteOrderMark + stringify([columns.map(({ name }) => name)], format),
    lines: (rows: Row[]) => stringify(rows.map(row => cellsOf(row, columns)), format)
  }
}

/**
 * Writes rows as CSV, with a header of field names.
 * @param check runs before each part, and throws to stop
 * @returns false, with an incomplete text, if a part has another revision than the first one
 */
export async function writeCsv (
  spool: Spool, columns: readonly Column[], parts: AsyncIterable<ListPart>, pause: Pause, check: () => void
): Promise<boolean> {
  const csv = await csvOf(columns)
  let first: Revision | undefined
  await spool.restart()
  await spool.write(csv.header)
  for await (const { rows, ...revision } of parts) {
    check()
    first ??= revision
    if (!isSameRevision(first, revision)) return false
    let text = ''
    for (let start = 0; start < rows.length; start += rowsOfChunk) {
      await pause()
      text += csv.lines(rows.slice(start, start + rowsOfChunk))
    }
    await spool.write(text)
  }
  return true
}
