import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Resource } from '../declaration/resource.ts'
import { limitColumns, rootColumn, rootIds, rootOf, type Root } from './root.ts'
import { feedQuery, lastId, type Columns } from './statement.ts'

/** Maximum entries of the log that one page examines. */
export const mostExamined = 2000

/**
 * The changes from a position in the log: each record once, at its last entry, in its present state. `resources` are the indexes of the
 * wanted ones. A deleted record appears only if the client may have seen it. The entry at number {@link mostExamined} is returned in any
 * case.
 */
export function changesQuery (resources: readonly Resource[], isLimited = false): BatchQuery {
  const byName = (value: (resource: Resource, index: number) => string | number) => {
    const cases = resources.map((resource, index) => `when '${resource.name}' then ${value(resource, index)}`)
    return `case c.name ${cases.join(' ')} end`
  }
  const root = isLimited ? rootOf(resources) : undefined
  const isWithin = isLimited ? byName(resource => withinRoots(resource, root)) : 'true'
  const record = byName(({ name, stored }) => `(select ${stored.json} from ${keyedRow('id', { table: name, value: 'c.id' })} t)`)
  const listed = [
    `${byName((_, index) => index)}::text = any (string_to_array(q.resources, ','))`,
    `(c.operation <> 'delete' or c.id <= ${byName(({ name }) => `q.${lastId(name)}`)})`,
    isLastChange,
    ...isLimited ? [listedWithin(resources, root, isWithin)] : []
  ]
  const columns: Columns = [['from', 'bigint'], ['after_resource', 'text'], ['after_id', 'bigint'], ['resources', 'text']]
  return {
    name: isLimited ? 'limited changes' : 'changes',
    ...feedQuery(resources, isLimited ? [...columns, ...limitColumns.slice(0, 1)] : columns, `
        select c.nth, c.revision_at, c.name, c.id, c.is_listed, ${byName((_, index) => index)} as resource,
          case when c.is_listed and c.is_within then ${record} end as record
        from (select c.*, ${isWithin} as is_within, ${listed.join(' and ')} as is_listed from (${examined}) c offset 0) c
        -- In the order of the subquery. Sorting would examine all entries for each page.
        where c.is_listed or c.nth = ${mostExamined}
        limit q."limit" + 1`)
  }
}

/** No later entry changes or deletes the record. */
const isLastChange = `not exists (
                select from changes n
                where n.company_id = q.company and n.resource = c.name and n.record_id = c.id and n.revision > c.revision_at
                  and n.operation <> 'insert')`

/** The entries of the log after the position, up to the maximum that a page examines. */
const examined = `
            select c.revision as revision_at, c.resource as name, c.record_id as id, c.operation,
              row_number() over (order by c.revision, c.resource, c.record_id) as nth
            from changes c
            where c.company_id = q.company and c.revision >= q."from"
              and (c.revision > q."from" or (c.resource, c.record_id) > (q.after_resource, q.after_id))
            order by c.revision, c.resource, c.record_id limit ${mostExamined}`

/** Whether the present record of entry `c` belongs to the roots. */
function withinRoots (resource: Resource, root: Root | undefined): string {
  const column = rootColumn(resource, root)
  if (column === undefined) return 'true'
  if (column === 'id') return `c.id = any (${rootIds})`
  return `exists ${keyedRow('id', { table: resource.name, value: 'c.id', where: `t.${column} = any (${rootIds})` })}`
}

/**
 * Whether entry `c` belongs to a page limited to roots. The log does not have the root of a record: deleted records, and records that can
 * have moved to another root, are announced as deleted, with their ids alone.
 */
function listedWithin (resources: readonly Resource[], root: Root | undefined, isWithin: string): string {
  const ofRoots = resources.filter(resource => resource.name !== root?.name && rootColumn(resource, root) !== undefined)
  if (ofRoots.length === 0) return isWithin
  const known = ofRoots.map((resource) => {
    const moved = canMove(resource, root) ? ` or (c.operation = 'update' and c.id <= q.${lastId(resource.name)})` : ''
    return `when '${resource.name}' then c.operation = 'delete'${moved}`
  })
  return `(${isWithin} or case c.name ${known.join(' ')} else false end)`
}

/** Whether a record can move to another root. */
function canMove ({ links, fixed, copies }: Resource, root: Root | undefined): boolean {
  const link = links.find(({ to }) => to === root?.name)
  return link !== undefined && !fixed.includes(link.field) && !copies.some(({ column }) => column === link.column)
}
