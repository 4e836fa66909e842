import { byIndex } from '../../database/by-index.ts'
import { requestRows, type BatchQuery, idType, perResource } from '../../database/turns/batch-requests.ts'
import { httpError } from '../../http/errors.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { ofCompany, type Reader } from '../declaration/scope.ts'
import type { RowOf } from '../declaration/values.ts'
import { recordId } from '../validation/convert.ts'

/** The select list of a single record. */
export function wholeRecord ({ item, detail }: Readable): string {
  return detail === '' ? item : `${item}, ${detail}`
}

/** Reads a complete record and, as `revision` and `stamp`, its scope's revision in the same snapshot. @throws {HttpError} 404 */
export async function readRecord<R extends Readable> (read: Reader, resource: R, id: string | number): Promise<RowOf<R>> {
  const record = await findRecord(read, resource, id)
  if (record === undefined) throw httpError(404)
  return record
}

/** Like {@link readRecord}, but undefined if there is no such record. */
export async function findRecord<R extends Readable> (read: Reader, resource: R, id: string | number): Promise<RowOf<R> | undefined> {
  const [record] = await read(recordQuery(resource), [recordId(id)])
  return record as RowOf<R> | undefined // the query selects the fields of the declaration
}

/** The query of a complete record, by id. */
export const recordQuery = perResource((resource: Readable): BatchQuery => {
  const columns = [['id', idType]] as const
  const { owner, joins, pin } = resource.scope ?? ofCompany
  return {
    name: `${resource.name} record`,
    columns,
    text: byIndex(`
      select q.i, r.revision, r.stamp, ${wholeRecord(resource)}
      from ${requestRows(columns, owner)}
      ${joins}
      cross join lateral (select t.* from ${resource.name} t where ${pin} and t.id = by_index(q.id) limit 1) t
      ${resource.joins} ${resource.detailJoins}`)
  }
})
