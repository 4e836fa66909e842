import { keyedRow, unsorted } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import { idType } from '../declaration/conditions.ts'
import { perResource } from '../declaration/per-resource.ts'
import type { Dependent } from '../declaration/link.ts'
import type { Resource } from '../declaration/resource.ts'
import { areNoted, callerColumn, notedCaller, notedCallers } from './callers.ts'
import { ofThatVersion } from './update-queries.ts'
import { closedBy } from './writable.ts'

/** SQL of the records that refer to `t`. Each range and its order leave only the index by the reference, as in `keyedRow`. */
function referring ({ through, ...link }: Dependent): string {
  const path = [...through, link]
  const joins = path.map(({ from, column }, index) => {
    const parent = index === 0 ? 't' : `d${index - 1}`
    const isReferring = `x.company_id = t.company_id and x.${column} between ${parent}.id and ${parent}.id`
    return `(select x.id from ${from} x where ${isReferring} order by x.${column}, ${unsorted} offset 0) d${index}`
  })
  return `(select d${path.length - 1}.id from ${joins.join(' cross join lateral ')})`
}

/**
 * Deletes records without dependents and skips the others, like {@link updateOf}. It finds one dependent and does not count. Its values are
 * `id` and `version`.
 */
export const removeQuery = perResource((resource: Resource): BatchQuery => {
  const { kept, dependents } = resource
  const columns = [['id', idType], ['version', 'int'], callerColumn] as const
  const conditions = [
    `${closedBy(resource, 't', 't.company_id')} is null`,
    ...kept === undefined ? [] : [`(${kept.sql}) is not true`],
    ...dependents.map(link => `not exists ${referring(link)}`)
  ]
  return {
    name: `${resource.name} remove`,
    columns,
    perCaller: resource.cascades,
    text: `
      with admissible as materialized (
        select distinct on (q.company, q.id) q.*, t.place
        from ${requestRows(columns)} ${ofThatVersion(resource)}
        where ${conditions.join(' and ')}
        order by q.company, q.id, q.i),
      ${resource.cascades ? notedCaller : notedCallers(resource.name)},
      removed as (delete from ${resource.name} t using admissible q where t.ctid = q.place)
      select i from admissible where ${areNoted}`
  }
})

/** Whether a record is kept whatever refers to it, the numbers of its dependents, and its version. */
export const dependentsQuery = perResource((resource: Resource): BatchQuery => {
  const columns = [['id', idType]] as const
  const { kept, dependents } = resource
  const shown = [
    `(${kept?.sql ?? 'false'}) as kept`,
    `${closedBy(resource, 't', 't.company_id')} as closed`,
    ...dependents.map((link, index) => `(select count(*) from ${referring(link)} d)::int as count_${index}`)
  ]
  return {
    name: `${resource.name} dependents`,
    slow: true,
    columns,
    text: `
      select ${['q.i', 't.version', ...shown].join(', ')}
      from ${requestRows(columns)}
      cross join lateral ${keyedRow('id', { table: resource.name, value: 'q.id' })} t`
  }
})
