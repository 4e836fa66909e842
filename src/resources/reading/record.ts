import type { Row } from '../../database/sql.ts'
import { asked, type Shape } from '../../database/turns.ts'
import { httpError } from '../../http/errors.ts'
import { idType, recordId } from './conditions.ts'
import type { Readable } from '../declaration/resource.ts'
import { ofCompany, type Asking } from '../scope.ts'
import { perResource } from '../shapes.ts'

/** The select list of a single record. */
export function wholeRecord ({ item, detail }: Readable): string {
  return detail === '' ? item : `${item}, ${detail}`
}

/** The whole single record and, as `revision`, its scope's revision in the same snapshot. @throws {HttpError} 404 */
export async function readRecord (ask: Asking, resource: Readable, id: string | number): Promise<Row> {
  const record = await findRecord(ask, resource, id)
  if (record === undefined) throw httpError(404)
  return record
}

/** As {@link readRecord}, undefined where there is none. */
export async function findRecord (ask: Asking, resource: Readable, id: string | number): Promise<Row | undefined> {
  return (await ask(recordShape(resource), [recordId(id)]))[0]
}

/** The shape of a whole single record, by id. */
export const recordShape = perResource((resource: Readable): Shape => {
  const columns = [['id', idType]] as const
  const { asker, joins, pin } = resource.scope ?? ofCompany
  // `offset 0`: each record is looked up by itself. With statistics of when the table was small the planner would join by company alone.
  return {
    name: `${resource.name} record`,
    columns,
    text: `
      select q.i, r.revision, ${wholeRecord(resource)}
      from ${asked(columns, asker)}
      ${joins}
      cross join lateral (select t.* from ${resource.name} t where ${pin} and t.id = q.id offset 0) t
      ${resource.joins} ${resource.detailJoins}`
  }
})
