import type { Row } from '../../database/connection/sql.ts'
import { idType, perResource, requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { ofCompany, type Reader } from '../declaration/scope.ts'

/** Rows of one statement. */
const rowsAtOnce = 500

/** The query of the next records, in the form of lists, in the order of their ids. Its values are the id of the last record before, and a limit. */
const recordsAfter = perResource((resource: Readable): BatchQuery => {
  const columns = [['after', idType], ['limit', 'int']] as const
  const { owner, pin } = resource.scope ?? ofCompany
  return {
    name: `${resource.name} in order`,
    columns,
    limit: 'limit',
    text: `
      select q.i, ${resource.item}
      from ${requestRows(columns, owner)}
      cross join lateral (select t.* from ${resource.name} t where ${pin} and t.id > q.after order by t.id limit q."limit") t
      ${resource.joins}
      order by t.id`
  }
})

/** Reads all records of a scope, without the limit of a list. @yields parts of up to 500 records */
export async function * readAllRecords (read: Reader, resource: Readable): AsyncGenerator<Row[]> {
  let after = 0
  for (let isLast = false; !isLast;) {
    const rows = await read(recordsAfter(resource), [after, rowsAtOnce])
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.['id']
    isLast = rows.length < rowsAtOnce
  }
}
