import { byIndex } from '../../database/by-index.ts'
import type { BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Resource } from '../declaration/resource.ts'
import { limitColumns, rootColumn, rootIds, rootOf } from './root.ts'
import { feedQuery } from './statement.ts'

/**
 * The snapshot: all records by resource and id. `after_<resource>` is the last id of the page before, or null to leave the resource out.
 */
export function snapshotQuery (resources: readonly Resource[], isLimited = false): BatchQuery {
  const root = isLimited ? rootOf(resources) : undefined
  const records = resources.map((resource, index) => {
    const column = rootColumn(resource, root)
    return column === undefined ? recordsById(resource, index) : recordsByRoot(resource, index, column)
  })
  const columns = [...resources.map(({ name }) => [`after_${name}`, 'bigint'] as const), ...isLimited ? limitColumns : []]
  return {
    name: isLimited ? 'limited snapshot' : 'snapshot',
    slow: true,
    ...feedQuery(resources, columns, `
        select s.*, row_number() over () as nth from (${records.join('\n        union all')}
        limit q."limit" + 1) s`)
  }
}

function recordsById ({ name, stored }: Resource, index: number): string {
  return `
        (select ${index} as resource, t.id, null::bigint as root, ${stored.json} as record
        from ${name} t where t.company_id = q.company and t.id > q.after_${name} order by t.id limit q."limit" + 1)`
}

/** The records of roots, by root and id: one index range per root. */
function recordsByRoot ({ name, stored }: Resource, index: number, column: string): string {
  const start = `case when q.current = ${index} then q.after_root else 0 end`
  const after = `case when w.root = ${start} then q.after_${name} else 0 end`
  return byIndex(`
        (select ${index} as resource, t.id, w.root, ${stored.json} as record
        from unnest(${rootIds}) w (root)
        cross join lateral (
          select t.* from ${name} t
          where t.company_id = q.company and t.${column} = by_index(w.root) and t.id > ${after}
          order by t.id limit q."limit" + 1) t
        where q.after_${name} is not null and w.root >= ${start} limit q."limit" + 1)`)
}
