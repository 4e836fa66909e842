import { requestRows, type BatchQuery } from '../../database/turns.ts'
import type { CompanyResource } from '../declaration/define.ts'

type Columns = BatchQuery['columns']

/** Maximum entries of the log that one page examines. */
export const mostExamined = 5000

const common: Columns = [['seen', 'bigint'], ['stamp', 'bigint'], ['after', 'bigint'], ['limit', 'int']]
const last = (name: string) => `last_${name}`

/**
 * Why a cursor cannot be continued. A revision is of this database if the log, or the purge, has it with the cursor's stamp. A client without
 * records needs neither.
 */
const reason = `
  select case
    when q.seen = 0 then null
    when exists (select from purged_revisions p where p.company_id = q.company and p.revision > q.after and p.has_deletes) then 'truncated'
    when (r.revision, r.stamp) = (q.seen, q.stamp) then null
    when exists (select from changes c where c.company_id = q.company and c.revision = q.seen and c.changed_at = stamp_time(q.stamp)) then null
    when exists (select from purged_revisions p where p.company_id = q.company and p.revision = q.seen and p.stamp = q.stamp) then null
    when q.stamp < stamp_of(statement_timestamp() - interval '100 days') then 'truncated'
    else 'forked'
  end as reason`

/** A page of the feed: the company's revision, counters and highest ids in each row, and the entries. */
function feed (resources: readonly CompanyResource[], columns: Columns, entries: string): BatchQuery {
  const all: Columns = [...common, ...resources.map(({ name }) => [last(name), 'bigint'] as const), ...columns]
  const counts = resources.map(({ name }) => `r.${name} as count_${name}`)
  const ids = resources.map(({ name }) => `greatest(q.${last(name)}, (select coalesce(max(t.id), 0) from ${name} t where t.company_id = q.company)) as ${last(name)}`)
  return {
    columns: all,
    text: `
      select q.i, r.revision, r.stamp, ${[...counts, ...ids].join(', ')}, v.reason, e.*
      from ${requestRows(all)}
      join company_revisions r on r.company_id = q.company
      cross join lateral (${reason}) v
      left join lateral (${entries}) e on v.reason is null
      order by q.i, e.place`
  }
}

/** The snapshot: all records by resource and id. `after_<resource>` is the last id of the page before, or null to leave the resource out. */
export function snapshotQuery (resources: readonly CompanyResource[]): BatchQuery {
  const records = resources.map(({ name, stored }, index) => `
        (select ${index} as resource, t.id, ${stored.json} as record
        from ${name} t where t.company_id = q.company and t.id > q.after_${name} order by t.id limit q."limit" + 1)`)
  return {
    name: 'snapshot',
    slow: true,
    ...feed(resources, resources.map(({ name }) => [`after_${name}`, 'bigint'] as const), `
      select s.*, row_number() over () as place from (${records.join('\n        union all')}
        limit q."limit" + 1) s`)
  }
}

/**
 * The changes after a position in the log: each record once, at its last entry, in its present state. `resources` are the indexes of the wanted
 * ones. A deleted record appears only if the client may have seen it. The entry at number {@link mostExamined} is returned in any case.
 */
export function changesQuery (resources: readonly CompanyResource[]): BatchQuery {
  const cases = (value: (resource: CompanyResource, index: number) => string | number) => `case c.resource ${resources.map((resource, index) => `when '${resource.name}' then ${value(resource, index)}`).join(' ')} end`
  return {
    name: 'changes',
    ...feed(resources, [['after_resource', 'text'], ['after_id', 'bigint'], ['resources', 'text']], `
      select c.*, row_number() over (order by c.revision_at, c.name, c.id) as place,
        case when c.is_listed then ${cases(({ name, stored }) => `(select ${stored.json} from ${name} t where t.company_id = q.company and t.id = c.id)`).replaceAll('c.resource', 'c.name')} end as record
      from (
        select l.* from (
          select c.revision as revision_at, stamp_of(c.changed_at) as stamp_at, c.resource as name, c.record_id as id, c.n, ${cases((_, index) => index)} as resource,
            ${cases((_, index) => index)}::text = any (string_to_array(q.resources, ','))
              and (c.operation <> 'delete' or c.record_id <= ${cases(({ name }) => `q.${last(name)}`)})
              and not exists (
                select from changes n
                where n.company_id = q.company and n.resource = c.resource and n.record_id = c.record_id and n.revision > c.revision and n.operation <> 'insert') as is_listed
          from (
            select c.*, row_number() over (order by c.revision, c.resource, c.record_id) as n
            from changes c
            where c.company_id = q.company and c.revision >= q.after and (c.revision > q.after or (c.resource, c.record_id) > (q.after_resource, q.after_id))
            order by c.revision, c.resource, c.record_id limit ${mostExamined}) c
          offset 0) l
        where l.is_listed or l.n = ${mostExamined}
        order by l.revision_at, l.name, l.id limit q."limit" + 1) c`)
  }
}
