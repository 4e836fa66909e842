import { LRUCache } from 'lru-cache'
import { ApiError } from '../errors.ts'
import { asked, type Shape } from '../database/turns.ts'
import type { Row } from '../database/sql.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import { after, orderBy, orderingName, parseOrdering, type OrderingKey } from './ordering.ts'
import type { Condition, Readable } from './resource.ts'
import { ofCompany, type Asking } from './scope.ts'
import { amongCandidates, candidates, searchConditions } from './search.ts'

/** A list's query parameters as its schema lets them through; every other key is one of the resource's filters. */
export interface ListQuery {
  page?: string
  page_size?: number
  ordering?: string[]
  search?: string
  cursor?: string
  fields?: string[]
  [filter: string]: unknown
}

/** One page of a list, of one snapshot of the database. */
export interface Page {
  /** The scope's revision in that snapshot. */
  revision: number
  /** Records over all pages. */
  count: number
  /** Number of this page, from 1. */
  page: number
  results: Row[]
  /** Where the next page starts, or null on the last. */
  cursor: string | null
}

const defaultPageSize = 20
/** As many records are rather found and sorted than met in the list's order among all the others. */
const fewRecords = 1000
const ownParameters = new Set(['page', 'page_size', 'ordering', 'search', 'cursor', 'fields'])

const invalidPage = () => new ApiError(404, 'not_found', 'invalidPage')

/** Answers a list's query. @throws {ApiError} for a page that is not there, or a bad cursor or ordering */
export async function readPage (ask: Asking, resource: Readable, query: ListQuery): Promise<Page> {
  const keys = parseOrdering(resource, query.ordering)
  const size = query.page_size ?? defaultPageSize
  const wanted = pageNumber(query.page, size)
  const start = query.cursor === undefined ? undefined : readCursor(query.cursor, keys)
  const conditions = conditionsOf(resource, query)

  // With a cursor one row more tells whether there is a next page; without, the count does.
  const limit = start === undefined ? size : size + 1
  const offset = start !== undefined ? 0 : wanted === 'last' ? -1 : (wanted - 1) * size
  const values = [limit, offset, ...conditions.filter(({ type }) => type !== undefined).map(({ value }) => value), ...start ?? []]
  const rows = await ask(pageShape(resource, keys, conditions, start !== undefined), values)

  const { revision, count } = rows[0] as { revision: number, count: number }
  const found = rows.filter(row => row['hit'] !== null)
  const results = found.slice(0, size)
  const page = wanted === 'last' ? Math.max(1, Math.ceil(count / size)) : wanted
  if (results.length === 0 && page > 1 && start === undefined) throw invalidPage()
  const more = start === undefined ? page * size < count : found.length > size
  return { revision, count, page, results, cursor: more ? cursorAfter(results.at(-1) as Row, keys) : null }
}

function pageNumber (page = '1', size: number): number | 'last' {
  if (page === 'last') return page
  const number = /^\d{1,15}$/.test(page) ? Number(page) : 0
  if (number < 1 || !Number.isSafeInteger(number * size)) throw invalidPage()
  return number
}

function conditionsOf (resource: Readable, query: ListQuery): Condition[] {
  const conditions = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !ownParameters.has(name))
    .map(([name, value]) => (resource.filters[name] as (value: unknown) => Condition)(value))
  return [...conditions, ...searchConditions(resource, query.search)]
}

const shapes = new LRUCache<string, Shape>({ max: 1000 })

function pageShape (resource: Readable, keys: OrderingKey[], conditions: Condition[], fromCursor: boolean): Shape {
  const order = orderingName(keys)
  const key = JSON.stringify([resource.name, order, fromCursor, ...conditions.map(({ sql }) => sql)])
  let shape = shapes.get(key)
  if (shape === undefined) {
    // Prepared are the few shapes that are asked for all the time.
    const name = keys.length <= 2 && conditions.length === 0 ? `${resource.name} by ${order}${fromCursor ? ' from cursor' : ''}` : undefined
    shape = { name, ...pageStatement(resource, keys, conditions, fromCursor) }
    shapes.set(key, shape)
  }
  return shape
}

function pageStatement (resource: Readable, keys: OrderingKey[], conditions: Condition[], fromCursor: boolean): Shape {
  const columns: Array<readonly [string, string]> = [['limit', 'int'], ['offset', 'bigint']]
  const computed: string[] = []
  const terms: string[] = []
  const scope = resource.scope ?? ofCompany
  const where = [scope.pin]
  for (const { sql, type, by, term } of conditions) {
    const name = `f${columns.length}`
    if (type !== undefined) columns.push([name, type])
    const value = `q.${by === undefined ? '' : 'by_'}${name}`
    if (by !== undefined) computed.push(`${by}(q.${name}) as by_${name}`)
    if (term === true) terms.push(value)
    where.push(sql.replaceAll('$', value))
  }
  const filtered = where.join(' and ')
  if (fromCursor) {
    const names = keys.map(({ type }, index) => {
      columns.push([`k${index}`, type])
      return `q.k${index}`
    })
    where.push(after(keys, names))
  }

  // The count of everything may be kept by triggers; a count that needs no join must not make one (it would lose its index-only scan).
  const joins = conditions.some(({ joins }) => joins === true) ? resource.lookedAt : ''
  const counted = (from: string) => `select count(*)::int as count from ${from} ${joins} where ${filtered}`
  // What a record shows beyond its own row is looked up for the rows of the page, not for those that it passes over.
  const page = (from: string, where: string) => `
        select true as hit, ${resource.item}
        from (
          select t.* from ${from} ${keys.some(key => key.joins === true) ? resource.lookedAt : joins}
          where ${where}
          order by ${orderBy(keys)}
          limit q."limit"
          offset case when q."offset" >= 0 then q."offset" else greatest((n.count - 1) / q."limit" * q."limit", 0) end
        ) t ${resource.joins}
        order by ${orderBy(keys)}`
  const all = `${resource.name} t`
  const wanted = where.join(' and ')
  let count = conditions.length === 0 && scope.total !== undefined ? `select ${scope.total(resource.name)} as count` : counted(all)
  let rows = page(all, wanted)
  const indexed = terms.length > 0 && scope === ofCompany
  if (indexed) {
    // Either way is a plan of its own, and the other is not run: a join that is good for all the records would be bad for a few.
    // `offset 0`: counted once, not once a row.
    const few = amongCandidates(resource)
    count = `select case when candidates.ids is null then (${count}) else (${counted(few)}) end as count offset 0`
    rows = `(${page(few, wanted)}) union all (${page(all, `candidates.ids is null and ${wanted}`)})`
  } else if (conditions.some(({ narrow }) => narrow === true)) {
    const found = `(select t.* from ${all} ${joins} where ${filtered} offset 0) t`
    rows = `(${page(found, `n.count <= ${fewRecords} and ${wanted}`)}) union all (${page(all, `n.count > ${fewRecords} and ${wanted}`)})`
  }
  return {
    columns,
    text: `
      select q.i, r.revision, n.count, x.*
      from ${computed.length === 0 ? asked(columns, scope.asker) : `(select ${['q.*', ...computed].join(', ')} from ${asked(columns, scope.asker)} offset 0) q`}
      ${scope.joins}
      ${indexed ? candidates(resource, terms) : ''}
      cross join lateral (${count}) n
      left join lateral (${rows}) x on true`
  }
}
