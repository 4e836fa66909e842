import type { Row } from '../../database/connection/sql.ts'
import { requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Resource } from '../declaration/resource.ts'

/** Parameter columns of a query. */
export type Columns = BatchQuery['columns']

/**
 * A row of a page with an entry that belongs to it. Each row, also one without an entry, has the values of the company: `revision`,
 * `stamp`, `reason` (why the cursor cannot be continued, or null), and by resource `count_<resource>` (number of records) and
 * `last_<resource>` (highest id that the client can know after this page). Rows of changes that other resources have also `name` and
 * `is_listed`.
 */
export interface FeedEntry {
  /** Index of the resource. */
  resource: number
  id: number
  /** The record as JSON, or null if it is deleted. */
  record: string | null
  /** In a limited snapshot: the root of the record. */
  root?: number | null
  /** Among changes: revision of the entry. */
  revision_at?: number
}

/** Whether a row has an entry of the page. */
export function isEntry (row: Row): row is FeedEntry {
  return row['id'] !== null && row['is_listed'] !== false
}

const common: Columns = [['seen', 'bigint'], ['stamp', 'bigint'], ['after', 'bigint'], ['limit', 'int']]
/** The column with the highest id of a resource that the client can know. */
export const lastId = (name: string) => `last_${name}`

/**
 * Why a cursor cannot be continued. A revision is of this database if the log, or the purge, has it with the cursor's stamp. A client
 * without records needs neither.
 */
const deletesArePurged = `exists (
            select from purged_revisions p where p.company_id = q.company and p.revision > q.after and p.has_deletes)`
const isInLog = `exists (
            select from changes c where c.company_id = q.company and c.revision = q.seen and c.changed_at = stamp_time(q.stamp))`
const isPurged = `exists (
            select from purged_revisions p where p.company_id = q.company and p.revision = q.seen and p.stamp = q.stamp)`
const reason = `case
          when q.seen = 0 then null
          when ${deletesArePurged} then 'truncated'
          when (r.revision, r.stamp) = (q.seen, q.stamp) then null
          when ${isInLog} then null
          when ${isPurged} then null
          when q.stamp < stamp_of(statement_timestamp() - interval '100 days') then 'truncated'
          else 'forked'
        end as reason`

/**
 * Checks a cursor: the company's revision, and why the cursor cannot be continued. Values: company, revision and stamp that it has seen,
 * position.
 */
export const checkQuery = `
      select r.revision, r.stamp, ${reason}
      from (select $1::int as company, $2::bigint as seen, $3::bigint as stamp, $4::bigint as after) q
      join company_revisions r on r.company_id = q.company`

/**
 * SQL of the highest id of a company's records, null without one. It has a range instead of `=`, for which the planner would walk the ids
 * of all companies.
 */
export function highestId (name: string, company: string): string {
  const isOfCompany = `t.company_id >= ${company} and t.company_id <= ${company}`
  return `(select t.id from ${name} t where ${isOfCompany} order by t.company_id desc, t.id desc limit 1)`
}

/** A page of the feed: the company's revision, counters and highest ids in each row, and the entries. */
export function feedQuery (resources: readonly Resource[], columns: Columns, entries: string): BatchQuery {
  const all: Columns = [...common, ...resources.map(({ name }) => [lastId(name), 'bigint'] as const), ...columns]
  const counts = resources.map(({ name }) => `r.${name} as count_${name}`)
  const ids = resources.map(({ name }) => `greatest(q.${lastId(name)}, ${highestId(name, 'q.company')}) as ${lastId(name)}`)
  return {
    columns: all,
    limit: 'limit',
    // `offset 0` computes the values of the company once, not once per entry.
    text: `
      select q.i, v.*, e.*
      from ${requestRows(all)}
      cross join lateral (
        select ${['r.revision', 'r.stamp', ...counts, ...ids, reason].join(', ')}
        from company_revisions r where r.company_id = q.company offset 0) v
      left join lateral (${entries}) e on v.reason is null
      order by q.i, e.nth`
  }
}
