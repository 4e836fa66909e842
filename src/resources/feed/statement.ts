import type { Row } from '../../database/connection/sql.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import type { Resource } from '../declaration/resource.ts'

type Columns = BatchQuery['columns']

/**
 * A row of a page with an entry that belongs to it. Each row, also one without an entry, has the values of the company: `revision`, `stamp`,
 * `reason` (why the cursor cannot be continued, or null), and by resource `count_<resource>` (number of records) and `last_<resource>` (highest
 * id that the client can know after this page). Rows of changes that other resources have also `name` and `is_listed`.
 */
export interface FeedEntry {
  /** Index of the resource. */
  resource: number
  id: number
  /** The record as JSON, or null if it is deleted. */
  record: string | null
  /** In a limited snapshot: the contract of the record. */
  contract?: number | null
  /** Among changes: revision of the entry. */
  revision_at?: number
}

/** Whether a row has an entry of the page. */
export function isEntry (row: Row): row is FeedEntry {
  return row['id'] !== null && row['is_listed'] !== false
}

/** Maximum entries of the log that one page examines. */
export const mostExamined = 2000

const common: Columns = [['seen', 'bigint'], ['stamp', 'bigint'], ['after', 'bigint'], ['limit', 'int']]
const lastId = (name: string) => `last_${name}`

/**
 * Why a cursor cannot be continued. A revision is of this database if the log, or the purge, has it with the cursor's stamp. A client without
 * records needs neither.
 */
const reason = `case
          when q.seen = 0 then null
          when exists (select from purged_revisions p where p.company_id = q.company and p.revision > q.after and p.has_deletes) then 'truncated'
          when (r.revision, r.stamp) = (q.seen, q.stamp) then null
          when exists (select from changes c where c.company_id = q.company and c.revision = q.seen and c.changed_at = stamp_time(q.stamp)) then null
          when exists (select from purged_revisions p where p.company_id = q.company and p.revision = q.seen and p.stamp = q.stamp) then null
          when q.stamp < stamp_of(statement_timestamp() - interval '100 days') then 'truncated'
          else 'forked'
        end as reason`

/** Checks a cursor: the company's revision, and why the cursor cannot be continued. Values: company, revision and stamp that it has seen, position. */
export const checkQuery = `
      select r.revision, r.stamp, ${reason}
      from (select $1::int as company, $2::bigint as seen, $3::bigint as stamp, $4::bigint as after) q
      join company_revisions r on r.company_id = q.company`

/**
 * SQL of the highest id of a company's records, null without one. It has a range instead of `=`, for which the planner would walk the ids of all
 * companies.
 * @param where an additional condition over `t`
 */
export function highestId (name: string, company: string, where = 'true'): string {
  return `(select t.id from ${name} t where t.company_id >= ${company} and t.company_id <= ${company} and ${where} order by t.company_id desc, t.id desc limit 1)`
}

/** The ids of `q.contracts`. */
const contractIds = "string_to_array(q.contracts, ',')::bigint[]"

const limitColumns: Columns = [['contracts', 'text'], ['after_contract', 'bigint'], ['current', 'int']]

/** The column with the contract of a record. Undefined for a resource without contracts. */
export function contractColumn ({ name, links }: Resource): string | undefined {
  return name === 'contracts' ? 'id' : links.find(({ to }) => to === 'contracts')?.column
}

/** A page of the feed: the company's revision, counters and highest ids in each row, and the entries. */
function feedQuery (resources: readonly Resource[], columns: Columns, entries: string): BatchQuery {
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

/** The snapshot: all records by resource and id. `after_<resource>` is the last id of the page before, or null to leave the resource out. */
export function snapshotQuery (resources: readonly Resource[], isLimited = false): BatchQuery {
  const records = resources.map((resource, index) => {
    const contract = isLimited ? contractColumn(resource) : undefined
    return contract === undefined ? recordsById(resource, index) : recordsByContract(resource, index, contract)
  })
  return {
    name: isLimited ? 'limited snapshot' : 'snapshot',
    slow: true,
    ...feedQuery(resources, [...resources.map(({ name }) => [`after_${name}`, 'bigint'] as const), ...isLimited ? limitColumns : []], `
        select s.*, row_number() over () as nth from (${records.join('\n        union all')}
        limit q."limit" + 1) s`)
  }
}

function recordsById ({ name, stored }: Resource, index: number): string {
  return `
        (select ${index} as resource, t.id, null::bigint as contract, ${stored.json} as record
        from ${name} t where t.company_id = q.company and t.id > q.after_${name} order by t.id limit q."limit" + 1)`
}

/** The records of contracts, by contract and id: one index range per contract. */
function recordsByContract ({ name, stored }: Resource, index: number, column: string): string {
  const start = `case when q.current = ${index} then q.after_contract else 0 end`
  return `
        (select ${index} as resource, t.id, w.contract, ${stored.json} as record
        from unnest(${contractIds}) w (contract)
        cross join lateral (
          select t.* from ${name} t
          where t.company_id = q.company and t.${column} between w.contract and w.contract and t.id > case when w.contract = ${start} then q.after_${name} else 0 end
          order by t.${column}, t.id limit q."limit" + 1) t
        where q.after_${name} is not null and w.contract >= ${start} limit q."limit" + 1)`
}

/**
 * The changes from a position in the log: each record once, at its last entry, in its present state. `resources` are the indexes of the wanted
 * ones. A deleted record appears only if the client may have seen it. The entry at number {@link mostExamined} is returned in any case.
 */
export function changesQuery (resources: readonly Resource[], isLimited = false): BatchQuery {
  const byName = (value: (resource: Resource, index: number) => string | number) => `case c.name ${resources.map((resource, index) => `when '${resource.name}' then ${value(resource, index)}`).join(' ')} end`
  const isWithin = isLimited ? byName(withinContracts) : 'true'
  return {
    name: isLimited ? 'limited changes' : 'changes',
    ...feedQuery(resources, [['from', 'bigint'], ['after_resource', 'text'], ['after_id', 'bigint'], ['resources', 'text'], ...isLimited ? limitColumns.slice(0, 1) : []], `
        select c.nth, c.revision_at, c.name, c.id, c.is_listed, ${byName((_, index) => index)} as resource,
          case when c.is_listed and c.is_within then ${byName(({ name, stored }) => `(select ${stored.json} from ${keyedRow('id', { table: name, value: 'c.id' })} t)`)} end as record
        from (
          select c.*, ${isWithin} as is_within,
            ${byName((_, index) => index)}::text = any (string_to_array(q.resources, ','))
              and (c.operation <> 'delete' or c.id <= ${byName(({ name }) => `q.${lastId(name)}`)})
              and not exists (
                select from changes n
                where n.company_id = q.company and n.resource = c.name and n.record_id = c.id and n.revision > c.revision_at and n.operation <> 'insert')${isLimited ? ` and ${listedWithin(resources, isWithin)}` : ''} as is_listed
          from (
            select c.revision as revision_at, c.resource as name, c.record_id as id, c.operation,
              row_number() over (order by c.revision, c.resource, c.record_id) as nth
            from changes c
            where c.company_id = q.company and c.revision >= q."from" and (c.revision > q."from" or (c.resource, c.record_id) > (q.after_resource, q.after_id))
            order by c.revision, c.resource, c.record_id limit ${mostExamined}) c
          offset 0) c
        -- In the order of the subquery. Sorting would examine all entries for each page.
        where c.is_listed or c.nth = ${mostExamined}
        limit q."limit" + 1`)
  }
}

/** Whether the present record of entry `c` belongs to the contracts. */
function withinContracts (resource: Resource): string {
  const column = contractColumn(resource)
  if (column === undefined) return 'true'
  return column === 'id' ? `c.id = any (${contractIds})` : `exists ${keyedRow('id', { table: resource.name, value: 'c.id', where: `t.${column} = any (${contractIds})` })}`
}

/**
 * Whether entry `c` belongs to a page limited to contracts. The log does not have the contract of a record: deleted records, and records that
 * can have moved to another contract, are announced as deleted, with their ids alone.
 */
function listedWithin (resources: readonly Resource[], isWithin: string): string {
  const ofContracts = resources.filter(resource => contractColumn(resource) !== undefined && contractColumn(resource) !== 'id')
  const known = ofContracts.map(resource => `when '${resource.name}' then c.operation = 'delete'${canMove(resource) ? ` or (c.operation = 'update' and c.id <= q.${lastId(resource.name)})` : ''}`)
  return `(${isWithin} or case c.name ${known.join(' ')} else false end)`
}

/** Whether a record can move to another contract. */
function canMove ({ links, fixed, copies }: Resource): boolean {
  const link = links.find(({ to }) => to === 'contracts')
  return link !== undefined && !fixed.includes(link.field) && !copies.some(({ column }) => column === link.column)
}
