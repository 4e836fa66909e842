import type { Row } from '../database/sql.ts'
import { asked, type Ask, type Shape } from '../database/turns.ts'
import { notFound } from '../errors.ts'
import { recordId } from './conditions.ts'
import type { Resource } from './resource.ts'

/** The select list of a single record. */
export function wholeRecord ({ item, detail }: Resource): string {
  return detail === '' ? item : `${item}, ${detail}`
}

const shapes = new WeakMap<Resource, Shape>()

/** The whole single record and, as `revision`, the company's revision in the same snapshot. @throws {ApiError} 404 */
export async function readRecord (ask: (ask: Ask) => Promise<Row[]>, resource: Resource, company: number, id: string | number): Promise<Row> {
  const rows = await ask({ shape: recordShape(resource), company, values: [recordId(id)] })
  if (rows[0] === undefined) throw notFound()
  return rows[0]
}

function recordShape (resource: Resource): Shape {
  let shape = shapes.get(resource)
  if (shape === undefined) {
    const columns = [['id', 'int']] as const
    shape = {
      name: `${resource.name} record`,
      columns,
      text: `
        select q.i, r.revision, ${wholeRecord(resource)}
        from ${asked(columns)}
        join company_revisions r on r.company_id = q.company
        join ${resource.name} t on t.company_id = q.company and t.id = q.id
        ${resource.joins} ${resource.detailJoins}`
    }
    shapes.set(resource, shape)
  }
  return shape
}
