import { isSameRevision, type Revision } from '../../http/representation.ts'
import type { Pause } from '../../http/slices.ts'
import type { Spool } from '../../http/spool.ts'
import type { Part } from '../reading/whole-list.ts'
import { cellsOf, type Column } from './columns.ts'

/** Without it, spreadsheets take UTF-8 for the encoding of the operating system. */
export const byteOrderMark = '\ufeff'

/** RFC 4180. The library quotes cells with delimiters, quotes and CRLF by itself, but not those with a single CR or LF. */
export const format = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ }

/** Rows between two pauses. */
const rowsOfChunk = 20

/**
 * Writes rows as CSV, with a header of field names.
 * @param check runs before each part, and throws to stop
 * @returns false, with an incomplete text, if a part has another revision than the first one
 */
export async function writeCsv (spool: Spool, columns: readonly Column[], parts: AsyncIterable<Part>, pause: Pause, check: () => void): Promise<boolean> {
  // Loaded on the first use.
  const { stringify } = await import('csv-stringify/sync')
  let first: Revision | undefined
  await spool.restart()
  await spool.write(byteOrderMark + stringify([columns.map(({ name }) => name)], format))
  for await (const { rows, ...revision } of parts) {
    check()
    first ??= revision
    if (!isSameRevision(first, revision)) return false
    let text = ''
    for (let start = 0; start < rows.length; start += rowsOfChunk) {
      await pause()
      text += stringify(rows.slice(start, start + rowsOfChunk).map(row => cellsOf(row, columns)), format)
    }
    await spool.write(text)
  }
  return true
}
