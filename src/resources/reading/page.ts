import { LRUCache } from 'lru-cache'
import type { BatchQuery } from '../../database/turns/requests.ts'
import { httpError } from '../../http/errors.ts'
import type { Revision } from '../../http/representation.ts'
import type { Row } from '../../database/connection/sql.ts'
import { cursorAfter, orderingName, parseOrdering, readCursor, type OrderingKey } from './ordering.ts'
import { pageStatement, type Start } from './page-statement.ts'
import type { Condition } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/resource.ts'
import type { Reader } from '../declaration/scope.ts'
import { searchConditions } from './search.ts'

/** Validated query parameters of a list. Other keys are filters of the resource. */
export interface ListQuery {
  page?: string
  page_size?: number
  ordering?: string[]
  search?: string
  cursor?: string
  fields?: string[]
  [filter: string]: unknown
}

/** One page of a list, from one snapshot of the database, with the revision of the scope in that snapshot. */
export interface Page extends Revision {
  /** Number of records of all pages. */
  count: number
  /** Number of this page, from 1. */
  page: number
  results: Row[]
  /** Start of the next page, or null on the last page. */
  cursor: string | null
}

const defaultPageSize = 20
const ownParameters = new Set(['page', 'page_size', 'ordering', 'search', 'cursor', 'fields'])

/** Up to this offset, skipping rows is as fast as finding the nearer end of the list. */
const farRecords = 1000

const invalidPage = () => httpError(404, { key: 'invalidPage' })

/** Reads a page of a list. @throws {HttpError} 404 for a page that does not exist; {@link ValidationError} for an invalid cursor or ordering */
export async function readPage (read: Reader, resource: Readable, query: ListQuery): Promise<Page> {
  const keys = parseOrdering(resource, query.ordering)
  const size = query.page_size ?? defaultPageSize
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, keys)
  const wanted = pageNumber(query.page ?? (cursor?.place?.size === size ? String(cursor.place.page) : undefined), size)
  // If a client changes `page` or `page_size` of a link, they apply instead of the cursor.
  const led = cursor?.place === undefined || (cursor.place.page === wanted && cursor.place.size === size)
  const start = led ? cursor?.values : undefined
  const conditions = conditionsOf(resource, query)

  // With a cursor, one additional row shows whether there is a next page. Without it, the count does.
  const limit = start === undefined ? size : size + 1
  const offset = start !== undefined ? 0 : wanted === 'last' ? -1 : (wanted - 1) * size
  const values = [limit, offset, ...conditions.filter(({ type }) => type !== undefined).map(({ value }) => value), ...start ?? []]
  const rows = await read(pageQuery(resource, keys, conditions, start !== undefined ? 'cursor' : offset < 0 || offset >= farRecords ? 'far' : 'near'), values)

  const { revision, stamp, count } = rows[0] as { revision: number, stamp: number, count: number }
  const found = rows.filter(row => row['hit'] !== null)
  const results = found.slice(0, size)
  const page = wanted === 'last' ? Math.max(1, Math.ceil(count / size)) : wanted
  if (results.length === 0 && page > 1 && start === undefined) throw invalidPage()
  const more = start === undefined ? page * size < count : found.length > size
  return { revision, stamp, count, page, results, cursor: more ? cursorAfter(results.at(-1) as Row, keys, { page: page + 1, size }) : null }
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
  return query.search === undefined ? conditions : [...conditions, ...searchConditions(resource, query.search)]
}

const queries = new LRUCache<string, BatchQuery>({ max: 1000 })

/**
 * The query of a list page, cached by orderings and conditions. See {@link pageStatement} for its values.
 */
export function pageQuery (resource: Readable, keys: OrderingKey[], conditions: Condition[], start: Start): BatchQuery {
  const order = orderingName(keys)
  const key = JSON.stringify([resource.name, order, start, ...conditions.map(({ sql }) => sql)])
  let query = queries.get(key)
  if (query === undefined) {
    const name = preparedName(resource, keys, conditions, start)
    query = { name, ...pageStatement(resource, keys, conditions, start) }
    queries.set(key, query)
  }
  return query
}

/**
 * The name of a prepared statement (63 characters at most). A connection uses about 290 kB for each. So only fast lists have one: in index order
 * without filters or, by id, with one filter that matches at most one record.
 */
function preparedName ({ name }: Readable, keys: OrderingKey[], conditions: Condition[], start: Start): string | undefined {
  const [first, second, ...more] = keys
  if (start === 'far' || first?.indexed !== true || second?.descending === true || more.length > 0) return undefined
  const order = `${name} by ${orderingName(keys)}`
  if (conditions.length === 0) return start === 'cursor' ? `${order} from cursor` : order
  const [{ sql, single }, ...others] = conditions as [Condition]
  return single === true && others.length === 0 && keys.length === 1 && start === 'near' ? `${order} where ${sql}` : undefined
}
