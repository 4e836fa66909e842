import { LRUCache } from 'lru-cache'
import { type BatchQuery, idType } from '../../database/turns/batch-requests.ts'
import { httpError, ValidationError } from '../../http/errors.ts'
import type { Revision } from '../../http/representation.ts'
import type { Row } from '../../database/connection/sql.ts'
import { recordId } from '../validation/convert.ts'
import { isDate, isInstant, utcInstant } from '../validation/formats.ts'
import { farRecords, pageStatement, type Start } from './page-statement.ts'
import type { OrderingKey } from './ordering-keys.ts'
import type { Condition } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { maxCount } from '../declaration/list-schemas.ts'
import { ofCompany, type Reader } from '../declaration/scope.ts'
import type { Totals } from '../declaration/totals.ts'
import { searchConditions } from './search.ts'

/** Validated query parameters of a list. Other keys are filters of the resource. */
export interface ListQuery {
  page?: string
  page_size?: number
  ordering?: string[]
  search?: string
  cursor?: string
  fields?: string[]
  format?: string
  totals?: boolean
  count_exact?: boolean
  [filter: string]: unknown
}

/** One page of a list, from one snapshot of the database, with the revision of the scope in that snapshot. */
export interface Page extends Revision {
  /** Number of records of all pages, or {@link maxCount} if a bounded count stopped. */
  count: number
  /** Whether `count` is exact, if the query allows a bounded count. */
  isExact?: boolean
  /** Sums over the records of all pages, by currency and field, if the query asks for them. */
  totals?: Record<string, Record<string, string>>
  /** Number of this page, from 1. */
  page: number
  results: Row[]
  /** Start of the next page, or null on the last page. */
  cursor: string | null
}

const defaultPageSize = 20
const ownParameters = new Set(['page', 'page_size', 'ordering', 'search', 'cursor', 'fields', 'format', 'totals', 'count_exact'])

const invalidPage = () => httpError(404, { key: 'invalidPage' })

/** Which page of a list is wanted, and where it begins. */
interface WantedPage {
  number: number | 'last'
  size: number
  /** Values of the keys of the row before the page, if a cursor leads there. */
  start: unknown[] | undefined
  /** Values for the statement. A negative offset is the last page. */
  limit: number
  offset: number
}

/**
 * Reads a page of a list.
 * @param zone of times in the query without an offset
 * @throws {HttpError} 404 for a page that does not exist; {@link ValidationError} for an invalid cursor or ordering
 */
export async function readPage (read: Reader, resource: Readable, query: ListQuery, zone: string): Promise<Page> {
  const keys = parseOrdering(resource, query.ordering)
  const wanted = wantedPage(query, keys)
  const { start, limit, offset } = wanted
  const conditions = conditionsOf(resource, query, zone)
  const values = [limit, offset, ...conditions.filter(({ type }) => type !== undefined).map(({ value }) => value), ...start ?? []]
  const begin = start !== undefined ? 'cursor' : offset < 0 || offset >= farRecords ? 'far' : 'near'
  const totals = query.totals === true ? resource.totals : undefined
  const isBounded = query.count_exact === false && canStop(resource, conditions, begin, totals)
  const page = pageOf(wanted, await read(pageQuery(resource, keys, conditions, begin, totals, isBounded), values), keys)
  if (query.count_exact !== false) return page
  const isExact = !isBounded || page.count <= maxCount
  return { ...page, count: isExact ? page.count : maxCount, isExact }
}

/** Whether the count of a list can stop: only if it reads the records, and neither sums nor a far page need all of them. */
function canStop (resource: Readable, conditions: Condition[], start: Start, totals?: Totals): boolean {
  const { total } = resource.scope ?? ofCompany
  const isKept = total !== undefined && conditions.length === 0
  return !isKept && start !== 'far' && totals === undefined && conditions.every(({ single }) => single !== true)
}

/** The page that a query wants. @throws {HttpError} 404 for an invalid number; {@link ValidationError} for an invalid cursor */
export function wantedPage (query: Pick<ListQuery, 'page' | 'page_size' | 'cursor'>, keys: OrderingKey[]): WantedPage {
  const size = query.page_size ?? defaultPageSize
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, keys)
  const number = pageNumber(query.page ?? (cursor?.place?.size === size ? String(cursor.place.page) : undefined), size)
  // If a client changes `page` or `page_size` of a link, they apply instead of the cursor.
  const led = cursor?.place === undefined || (cursor.place.page === number && cursor.place.size === size)
  const start = led ? cursor?.values : undefined
  // With a cursor, one additional row shows whether there is a next page. Without it, the count does.
  return {
    number,
    size,
    start,
    limit: start === undefined ? size : size + 1,
    offset: start !== undefined ? 0 : number === 'last' ? -1 : (number - 1) * size
  }
}

/**
 * The page in the rows of a statement. Each row has `revision`, `stamp` and `count`, `totals` if requested, and `hit` if it has a record.
 * @throws {HttpError} 404 for a page that does not exist
 */
export function pageOf ({ number, size, start }: WantedPage, rows: Row[], keys: OrderingKey[]): Page {
  const [{ revision, stamp, count, totals }] = rows
  const found = rows.filter(row => row['hit'] !== null)
  const results = found.slice(0, size)
  const page = number === 'last' ? Math.max(1, Math.ceil(count / size)) : number
  if (results.length === 0 && page > 1 && start === undefined) throw invalidPage()
  const more = start === undefined ? page * size < count : found.length > size
  return {
    revision,
    stamp,
    count,
    ...totals === undefined ? {} : { totals },
    page,
    results,
    cursor: more ? cursorAfter(results[results.length - 1], keys, { page: page + 1, size }) : null
  }
}

function pageNumber (page = '1', size: number): number | 'last' {
  if (page === 'last') return page
  const number = /^\d{1,15}$/.test(page) ? Number(page) : 0
  if (number < 1 || !Number.isSafeInteger(number * size)) throw invalidPage()
  return number
}

/** The conditions of a list: its filters and its search. @throws as {@link searchConditions} */
export function conditionsOf (resource: Readable, query: ListQuery, zone: string): Condition[] {
  const conditions = Object.entries(query)
    .filter(([name, value]) => value !== undefined && !ownParameters.has(name))
    .map(([name, value]) => inUtc(name, resource.filters[name](value), zone))
  return query.search === undefined ? conditions : [...conditions, ...searchConditions(resource, query.search)]
}

/** A condition whose time is in UTC. @throws {ValidationError} for a time outside of the years 0001 to 9999 */
function inUtc (field: string, condition: Condition, zone: string): Condition {
  if (condition.type !== 'timestamptz' || typeof condition.value !== 'string') return condition
  const value = utcInstant(condition.value, zone)
  if (value === undefined) throw new ValidationError([{ field, key: 'notInstant' }])
  return { ...condition, value }
}

const queries = new LRUCache<string, BatchQuery>({ max: 1000 })

/**
 * The query of a list page, cached by orderings, conditions, totals and the kind of count. See {@link pageStatement} for its values.
 */
export function pageQuery (
  resource: Readable, keys: OrderingKey[], conditions: Condition[], start: Start, totals?: Totals, isBounded = false
): BatchQuery {
  const order = orderingName(keys)
  const key = JSON.stringify([resource.name, order, start, totals !== undefined, isBounded, ...conditions.map(({ sql, by }) => [sql, by])])
  let query = queries.get(key)
  if (query === undefined) {
    const name = totals === undefined && !isBounded ? preparedName(resource, keys, conditions, start) : undefined
    query = { name, ...pageStatement(resource, keys, conditions, start, totals, isBounded) }
    queries.set(key, query)
  }
  return query
}

/**
 * The name of a prepared statement (63 characters at most). A connection uses about 290 kB for each. So only fast lists have one: in index
 * order without filters or, by id, with one filter that matches at most one record.
 */
function preparedName ({ name }: Readable, keys: OrderingKey[], conditions: Condition[], start: Start): string | undefined {
  const [first, second, ...more] = keys
  if (start === 'far' || first?.indexed !== true || second?.descending === true || more.length > 0) return undefined
  const order = `${name} by ${orderingName(keys)}`
  if (conditions.length === 0) return start === 'cursor' ? `${order} from cursor` : order
  const [{ sql, single }, ...others] = conditions
  return single === true && others.length === 0 && keys.length === 1 && start === 'near' ? `${order} where ${sql}` : undefined
}

const byId: OrderingKey = { field: 'id', sql: 't.id', type: idType, descending: false, indexed: true }

/**
 * The keys of `ordering=folio,-monto`. They always end with `id`, so that the order is total.
 * @param ordering its parts; the schema admits only those of {@link orderings}
 * @throws {ValidationError} under `ordering` for a repeated field
 */
export function parseOrdering (resource: Readable, ordering: string[] = []): OrderingKey[] {
  const keys: OrderingKey[] = []
  for (const part of ordering) {
    const descending = part.startsWith('-')
    const field = descending ? part.slice(1) : part
    const column = field === 'id' ? byId : resource.ordering[field]
    if (keys.some(key => key.field === field)) {
      throw new ValidationError([{ field: 'ordering', key: 'orderedTwice', values: { field } }])
    }
    keys.push({ ...column, field, descending })
  }
  const id = keys.findIndex(key => key.field === 'id')
  return id === -1 ? [...keys, byId] : keys.slice(0, id + 1)
}

/** All orderings of a resource's lists, in both directions. */
export function orderings (resource: Readable): string[] {
  return ['id', ...Object.keys(resource.ordering)].flatMap(field => [field, `-${field}`])
}

/** The keys in the form of the parameter. Names an order in cursors and statements. */
function orderingName (keys: OrderingKey[]): string {
  return keys.map(({ field, descending }) => (descending ? '-' : '') + field).join(',')
}

/** The page that a cursor points to: its number and its size. */
interface PagePosition {
  page: number
  size: number
}

/** A cursor to the rows after this one. It contains the ordering and the row's keys, and is opaque to clients. */
export function cursorAfter (row: Row, keys: OrderingKey[], place?: PagePosition): string {
  const where = place === undefined ? '' : `@${place.page}.${place.size}`
  return Buffer.from(JSON.stringify([orderingName(keys) + where, ...keys.map(({ field }) => row[field])])).toString('base64url')
}

const largestInt = 2_147_483_647

const fits: Record<string, (value: unknown) => boolean> = {
  [idType]: value => value !== 0 && recordId(value) === value,
  int: value => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largestInt,
  numeric: value => typeof value === 'string' && /^-?\d{1,38}(?:\.\d{1,18})?$/.test(value),
  date: value => typeof value === 'string' && isDate(value),
  timestamptz: value => typeof value === 'string' && isInstant(value),
  text: value => typeof value === 'string' && !value.includes('\0')
}

/**
 * Reads the keys' values in a cursor, and the page that it points to, if it contains one.
 * @throws {ValidationError} under `cursor` if it is invalid or belongs to another ordering
 */
export function readCursor (cursor: string, keys: OrderingKey[]): { values: unknown[], place?: PagePosition } {
  const invalid = new ValidationError([{ field: 'cursor', key: 'invalidCursor' }])
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding ignores characters that are not base64url. A valid cursor has none.
  if (bytes.toString('base64url') !== cursor) throw invalid
  let parts: unknown
  try {
    parts = JSON.parse(bytes.toString())
  } catch {
    throw invalid
  }
  if (!Array.isArray(parts) || parts.length !== keys.length + 1) throw invalid
  const [, name, page, size] = /^([^@]*)(?:@([1-9]\d{0,14})\.([1-9]\d{0,2}))?$/.exec(String(parts[0])) ?? []
  if (typeof parts[0] !== 'string' || name !== orderingName(keys)) throw invalid
  const values = parts.slice(1)
  for (const [index, { type, nullable, pattern, minimum = -Infinity }] of keys.entries()) {
    const value = values[index]
    const isValue = value === null
      ? nullable === true
      : fits[type]?.(value) === true && (pattern?.test(value) ?? true) && !(value < minimum)
    if (!isValue) throw invalid
  }
  return page === undefined ? { values } : { values, place: { page: Number(page), size: Number(size) } }
}
