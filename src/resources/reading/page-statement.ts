import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import { after, orderBy, type OrderingKey } from './ordering.ts'
import type { Condition } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/resource.ts'
import { ofCompany } from '../declaration/scope.ts'
import { foundAmong, withIds } from './search.ts'

/** Up to this many matches, sorting them is faster than scanning the index in the list's order. */
const fewRecords = 1000

/** Where a page begins: after a cursor's row, near the start of the list, or so far that the end of the list may be nearer. */
export type Start = 'cursor' | 'near' | 'far'

/**
 * The statement of a list page. Its values are: limit, offset (negative for the last page), the values of the conditions and, with a cursor,
 * those of the keys.
 */
export function pageStatement (resource: Readable, keys: OrderingKey[], conditions: Condition[], start: Start): BatchQuery {
  const scope = resource.scope ?? ofCompany
  const { columns, computed, terms, filtered, wanted, beyond } = parametersOf(scope.pin, keys, conditions, start)
  const owner = requestRows(columns, scope.owner)

  // Triggers may keep the total count. A count must not join without need, because it would lose its index-only scan.
  const joins = conditions.some(({ joins }) => joins === true) ? resource.filterJoins : ''
  const orderJoins = keys.some(key => key.joins === true) ? resource.filterJoins : ''
  const counted = (from: string) => `select count(*)::int as count from ${from} ${joins} where ${filtered}`
  const all = `${resource.name} t`
  // The limit is at most the number of matches. Otherwise, after the last of a few matches, the scan would read all other records.
  const limit = conditions.length === 0 ? 'q."limit"' : start === 'cursor' ? 'least(q."limit", n.count)' : 'least(q."limit", greatest(n.count - q."offset", 0))'
  const page = ({ from, joins, where, whole }: Source) => {
    const chosen = start === 'far' ? fromNearerEnd(from, joins, where, keys) : chosenFrom(whole ? 't.*' : 't.id', from, joins, where, keys, limit)
    const records = whole && start !== 'far'
      ? chosen
      : `select t.* from (${chosen}) chosen cross join lateral (select t.* from ${all} where ${scope.pin} and t.id = chosen.id offset 0) t`
    // The joins of an answer run for the rows of the page, not for the rows before it.
    return `
        select true as hit, ${resource.item}
        from (${records}) t ${resource.joins}
        order by ${orderBy(keys)}`
  }
  // If an index has the order, complete rows are read. Otherwise ids are chosen first: they sort faster, and an index may contain all columns
  // that this needs.
  const whole = keys[0]?.indexed === true && conditions.every(({ single }) => single === true)
  let count = conditions.length === 0 && scope.total !== undefined ? `select ${scope.total(resource.name)} as count` : counted(all)
  let rows = page({ from: all, joins: joins || orderJoins, where: wanted, whole })
  let among = ''
  if (terms.length > 0 && scope === ofCompany) {
    // Two plans. Only one runs: a join that suits many records would be slow for a few.
    // `offset 0` makes PostgreSQL count once, not once per row.
    count = `select case when found.ids is null then (${count}) else cardinality(found.ids) end as count offset 0`
    rows = `(${page({ from: withIds(resource, 'found'), joins: orderJoins, where: `found.ids is not null and ${beyond}`, whole: true })}) union all (
        ${page({ from: all, joins, where: `found.ids is null and ${wanted}`, whole: false })})`
    among = foundAmong(resource, terms, `${joins} where ${filtered}`)
  } else if (conditions.some(({ narrow }) => narrow === true)) {
    const found = `(select t.* from ${all} ${joins} where ${filtered} offset 0) t`
    rows = `(${page({ from: found, joins: orderJoins, where: `n.count <= ${fewRecords} and ${beyond}`, whole: true })}) union all (
        ${page({ from: all, joins: joins || orderJoins, where: `n.count > ${fewRecords} and ${wanted}`, whole: false })})`
  }
  return {
    columns,
    limit: 'limit',
    text: `
      select q.i, r.revision, r.stamp, n.count, x.*
      from ${computed.length === 0 ? owner : `(select ${['q.*', ...computed].join(', ')} from ${owner} offset 0) q`}
      ${scope.joins}
      ${among}
      cross join lateral (${count}) n
      ${start === 'far' ? `cross join lateral (${place} offset 0) place` : ''}
      left join lateral (${rows}) x on true`
  }
}

/** The rows from which the records of a page are chosen. */
interface Source {
  from: string
  joins: string
  where: string
  /** Whether complete rows are chosen, not only their ids. */
  whole: boolean
}

function chosenFrom (what: string, from: string, joins: string, where: string, keys: OrderingKey[], limit: string, offset = 'q."offset"'): string {
  return `
          select ${what} from ${from} ${joins}
          where ${where}
          order by ${orderBy(keys)}
          limit ${limit}
          offset ${offset}`
}

/** The number of records before the page. */
const place = 'select case when q."offset" >= 0 then q."offset" else greatest((n.count - 1) / q."limit" * q."limit", 0) end as "before"'

/** The ids of a page, counted from the nearer end of the list. */
function fromNearerEnd (from: string, joins: string, where: string, keys: OrderingKey[]): string {
  const backwards = keys.map(key => ({ ...key, descending: !key.descending }))
  const left = 'greatest(n.count - place.before, 0)'
  return `(${chosenFrom('t.id', from, joins, `place.before * 2 <= n.count and ${where}`, keys, 'q."limit"', 'place.before')}) union all (
          ${chosenFrom('t.id', from, joins, `place.before * 2 > n.count and ${where}`, backwards, `least(q."limit", ${left})`, `greatest(${left} - q."limit", 0)`)})`
}

/** Parameter columns, values computed once per request, and conditions: of the list (`filtered`), of the cursor (`beyond`), of both (`wanted`). */
function parametersOf (pin: string, keys: OrderingKey[], conditions: Condition[], start: Start) {
  const columns: Array<readonly [string, string]> = [['limit', 'int'], ['offset', 'bigint']]
  const computed: string[] = []
  const terms: string[] = []
  const where = [pin]
  for (const { sql, type, by, term } of conditions) {
    const name = `f${columns.length}`
    if (type !== undefined) columns.push([name, type])
    const value = `q.${by === undefined ? '' : 'by_'}${name}`
    if (by !== undefined) computed.push(`${by}(q.${name}) as by_${name}`)
    if (term === true) terms.push(value)
    where.push(sql.replaceAll('$', value))
  }
  const filtered = where.join(' and ')
  if (start !== 'cursor') return { columns, computed, terms, filtered, wanted: filtered, beyond: 'true' }
  const names = keys.map(({ type, by }, index) => {
    columns.push([`k${index}`, type])
    if (by === undefined) return `q.k${index}`
    computed.push(`${by}(q.k${index}) collate "C" as by_k${index}`)
    return `q.by_k${index}`
  })
  const beyond = after(keys, names)
  return { columns, computed, terms, filtered, wanted: `${filtered} and ${beyond}`, beyond }
}
