import type { Row } from '../../database/connection/sql.ts'
import type { BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Reader } from '../declaration/scope.ts'

/** Rows of one statement. */
const rowsAtOnce = 500

/**
 * Reads all rows of a query in the order of its keys, without the limit of a list.
 * @param query its values are a limit, and the keys of the last row before
 * @param start the fields with the keys, each with a value before the first row
 * @yields parts of up to 500 rows
 */
export async function * keysetPages (read: Reader, query: BatchQuery, start: Row): AsyncGenerator<Row[]> {
  const keys = Object.keys(start)
  for (let last: Row | undefined = start; last !== undefined;) {
    const rows = await read(query, [rowsAtOnce, ...keys.map(key => last?.[key])])
    if (rows.length > 0) yield rows
    last = rows.length < rowsAtOnce ? undefined : rows.at(-1)
  }
}
