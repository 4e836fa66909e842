import type { Row } from '../../database/connection/sql.ts'
import { idType, perResource, requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { ofCompany, type Reader } from '../declaration/scope.ts'
import { keysetPages } from './keyset.ts'

/**
 * The query of the next records, in the form of lists, in the order of their ids. Its values are a limit, and the id of the last record
 * before.
 */
const recordsAfter = perResource((resource: Readable): BatchQuery => {
  const columns = [['limit', 'int'], ['after', idType]] as const
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
export function readAllRecords (read: Reader, resource: Readable): AsyncGenerator<Row[]> {
  return keysetPages(read, recordsAfter(resource), { id: 0 })
}
