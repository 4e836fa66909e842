import { requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Condition } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { maxCount, maxPageSize } from '../declaration/list-schemas.ts'
import { ofCompany } from '../declaration/scope.ts'
import { foundAmong, withIds } from './search.ts'
import type { Totals } from '../declaration/totals.ts'
import { type OrderingKey, orderBy, after } from './ordering-keys.ts'

/** From this offset on, skipping rows can be slower than finding the nearer end of the list. */
export const farRecords = 1000

/** Up to this many matches, sorting them is faster than scanning the index in the list's order. */
const fewRecords = 1000

/** Where a page begins: after a cursor's row, near the start of the list, or so far that the end of the list may be nearer. */
export type Start = 'cursor' | 'near' | 'far'

/**
 * The statement of a list page. Its values are: limit, offset (negative for the last page), the values of the conditions and, with a
 * cursor, those of the keys.
 * @param totals sums over the records of all pages, which each row then has
 * @param isBounded whether `count` may stop above {@link maxCount}
 */
export function pageStatement (
  resource: Readable, keys: OrderingKey[], conditions: Condition[], start: Start, totals?: Totals, isBounded = false
): BatchQuery {
  const scope = resource.scope ?? ofCompany
  const { columns, computed, terms, filtered, wanted, beyond } = parametersOf(scope.pin, keys, conditions, start)
  const owner = requestRows(columns, scope.owner)

  // Triggers may keep the total count. A count must not join without need, because it would lose its index-only scan.
  const joins = conditions.some(({ joins }) => joins === true) ? resource.filterJoins : ''
  const orderJoins = keys.some(key => key.joins === true) ? resource.filterJoins : ''
  const ownJoins = ownJoinsOf(keys)
  const matches = (from: string) => `from ${from} ${joins} where ${filtered}`
  const counted = (from: string) =>
    `select count(*)::int as count ${isBounded ? `from (select 1 ${matches(from)} limit ${maxCount + 1}) matches` : matches(from)}`
  const all = `${resource.name} t`
  // The limit is at most the number of matches. Otherwise, after the last of a few matches, the scan would read all other records.
  const matchesLeft = start === 'cursor' ? 'n.count' : 'greatest(n.count - q."offset", 0)'
  const limit = conditions.length === 0 && totals === undefined ? 'q."limit"' : `least(q."limit", ${matchesLeft})`
  const chosenRecord = `(select t.* from ${all} where ${scope.pin} and t.id = chosen.id offset 0) t`
  const page = ({ from, joins, where, whole }: Source) => {
    const select = whole && start !== 'far' ? 't.*' : 't.id'
    const sorted = `${joins} ${ownJoins}`
    const chosen = start === 'far' ? fromNearerEnd(from, sorted, where, keys) : chosenFrom(select, from, sorted, where, keys, limit)
    const records = select === 't.*' ? chosen : `select t.* from (${chosen}) chosen cross join lateral ${chosenRecord}`
    // The joins of an answer run for the rows of the page, not for the rows before it.
    return `
        select true as hit, ${resource.item}
        from (${records}) t ${resource.joins}
        order by ${orderBy(keys)}`
  }
  // If an index has the order, complete rows are read. Otherwise ids are chosen first: they sort faster, and an index may contain all
  // columns that this needs.
  const whole = keys[0]?.indexed === true && conditions.every(({ single }) => single === true)
  let count = conditions.length === 0 && scope.total !== undefined ? `select ${scope.total(resource.name)} as count` : counted(all)
  let rows = page({ from: all, joins: joins || orderJoins, where: wanted, whole })
  const summed = totals && sumsOf(totals)
  let sums = summed?.(all, joins, filtered)
  let among = ''
  if (terms.length > 0 && scope === ofCompany) {
    // Two plans. Only one runs: a join that suits many records would be slow for a few.
    // `offset 0` makes PostgreSQL count once, not once per row.
    count = `select case when found.ids is null then (${count}) else cardinality(found.ids) end as count offset 0`
    const scanned = `found.ids is null and ${wanted}`
    // A constant limit makes PostgreSQL scan in the list's order, and stop early.
    const nearest = `(${chosenFrom('t.*', all, `${joins} ${ownJoins}`, scanned, keys, String(farRecords + maxPageSize + 1), '0')}) t`
    rows = either(
      page({ from: withIds(resource, 'found'), joins: orderJoins, where: `found.ids is not null${beyond}`, whole: true }),
      start === 'far'
        ? page({ from: all, joins, where: scanned, whole: false })
        : page({ from: nearest, joins: orderJoins, where: '', whole: true }))
    sums = summed &&
      `select case when found.ids is null then (${sums}) else (${summed(withIds(resource, 'found'), '', 'found.ids is not null')}) end`
    among = foundAmong(resource, terms, `${joins} where ${filtered}`)
  } else if (conditions.some(({ narrow }) => narrow === true)) {
    const found = `(select t.* from ${all} ${joins} where ${filtered} offset 0) t`
    rows = either(
      page({ from: found, joins: orderJoins, where: `n.count <= ${fewRecords}${beyond}`, whole: true }),
      page({ from: all, joins: joins || orderJoins, where: `n.count > ${fewRecords} and ${wanted}`, whole: false }))
  }
  const given = computed.length === 0 ? owner : `(select ${['q.*', ...computed].join(', ')} from ${owner} offset 0) q`
  // `offset 0` makes PostgreSQL count and add once, before it chooses the rows of the page.
  const counts = sums === undefined ? count : `select (${count}) as count, (${sums}) as totals offset 0`
  return {
    columns,
    limit: 'limit',
    text: `
      select q.i, r.revision, r.stamp, n.count, ${sums === undefined ? '' : 'n.totals, '}x.*
      from ${given}
      ${scope.joins}
      ${among}
      cross join lateral (${counts}) n
      ${start === 'far' ? `cross join lateral (${place} offset 0) place` : ''}
      left join lateral (${rows}) x on true`
  }
}

/** SQL of the joins that only the orderings need. */
export function ownJoinsOf (keys: OrderingKey[]): string {
  return keys.map(({ ownJoins = '' }) => ownJoins).join(' ')
}

/** Makes SQL of the sums over rows: an object by currency. */
function sumsOf ({ currency, amounts, joins }: Totals): (from: string, filterJoins: string, where: string) => string {
  const sums = Object.entries(amounts).map(([field, sql]) => `'${field}', sum(${sql})::text`).join(', ')
  return (from, filterJoins, where) => `
        select coalesce(json_object_agg(s.currency, s.sums order by s.currency), '{}') from (
          select ${currency} as currency, json_build_object(${sums}) as sums
          from ${from} ${filterJoins} ${joins} where ${where} group by 1) s`
}

/** The rows of two queries. Only one of the two has rows. */
export function either (one: string, other: string): string {
  return `(${one}) union all (${other})`
}

/** The rows from which the records of a page are chosen. */
interface Source {
  from: string
  joins: string
  where: string
  /** Whether complete rows are chosen, not only their ids. */
  whole: boolean
}

/** A query of chosen rows, in order. @param where may be empty */
export function chosenFrom (
  select: string, from: string, joins: string, where: string, keys: OrderingKey[], limit: string, offset = 'q."offset"'
): string {
  return `
          select ${select} from ${from} ${joins}
          ${where === '' ? '' : `where ${where}`}
          order by ${orderBy(keys)}
          limit ${limit}
          offset ${offset}`
}

/** The number of records before the page. */
const place = `
        select case when q."offset" >= 0 then q."offset" else greatest((n.count - 1) / q."limit" * q."limit", 0) end as "before"`

/** The ids of a page, counted from the nearer end of the list. */
function fromNearerEnd (from: string, joins: string, where: string, keys: OrderingKey[]): string {
  const backwards = keys.map(key => ({ ...key, descending: !key.descending }))
  const left = 'greatest(n.count - place.before, 0)'
  const last = { limit: `least(q."limit", ${left})`, offset: `greatest(${left} - q."limit", 0)` }
  return either(
    chosenFrom('t.id', from, joins, `place.before * 2 <= n.count and ${where}`, keys, 'q."limit"', 'place.before'),
    chosenFrom('t.id', from, joins, `place.before * 2 > n.count and ${where}`, backwards, last.limit, last.offset))
}

/**
 * Parameter columns, values computed once per request, and conditions: of the list (`filtered`), of the list and the cursor (`wanted`),
 * and of the cursor as the rest of another condition (`beyond`).
 */
export function parametersOf (pin: string, keys: OrderingKey[], conditions: Condition[], start: Start) {
  const columns: Array<readonly [string, string]> = [['limit', 'int'], ['offset', 'bigint']]
  const computed: string[] = []
  const terms: string[] = []
  const where = [pin]
  for (const { sql, type, by, term } of conditions) {
    const name = `f${columns.length}`
    if (type !== undefined) columns.push([name, type])
    const value = `q.${by === undefined ? '' : 'by_'}${name}`
    if (by !== undefined) computed.push(`${by.replaceAll('$', `q.${name}`)} as by_${name}`)
    if (term === true) terms.push(value)
    where.push(sql.replaceAll('$', value))
  }
  const filtered = where.join(' and ')
  if (start !== 'cursor') return { columns, computed, terms, filtered, wanted: filtered, beyond: '' }
  const names = keys.map(({ type, by }, index) => {
    columns.push([`k${index}`, type])
    if (by === undefined) return `q.k${index}`
    computed.push(`${by}(q.k${index}) collate "C" as by_k${index}`)
    return `q.by_k${index}`
  })
  const beyond = ` and ${after(keys, names)}`
  return { columns, computed, terms, filtered, wanted: `${filtered}${beyond}`, beyond }
}
