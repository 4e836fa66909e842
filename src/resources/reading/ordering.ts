import type { Row } from '../../database/connection/sql.ts'
import { ValidationError } from '../../http/errors.ts'
import { idType, recordId } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { isDate, isInstant } from '../validation/formats.ts'
import type { OrderingColumn } from '../declaration/field-spec.ts'

/** One key of an ordering. */
export interface OrderingKey extends OrderingColumn {
  field: string
  descending: boolean
}

/** Sorts by `nombre`, ignoring case and accents (decision 8). For resources with few records, which need no index. */
export const byName: OrderingColumn = { sql: 'sort_text(t.nombre) collate "C"', type: 'text', by: 'sort_text' }

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
export function orderingName (keys: OrderingKey[]): string {
  return keys.map(({ field, descending }) => (descending ? '-' : '') + field).join(',')
}

/** The `order by` list. Nulls are the largest values, as by default in PostgreSQL. */
export function orderBy (keys: OrderingKey[]): string {
  return keys.map(({ sql, descending }) => descending ? `${sql} desc` : sql).join(', ')
}

/**
 * SQL condition: the row comes after the row with these keys (keyset pagination). If no key is nullable and all have the same direction, it is
 * one row comparison, which can use an index.
 * @param values SQL of the value of each key
 */
export function after (keys: OrderingKey[], values: string[]): string {
  const [first] = keys
  if (keys.every(key => key.nullable !== true && key.descending === first.descending)) {
    return `(${keys.map(key => key.sql).join(', ')}) ${first.descending ? '<' : '>'} (${values.join(', ')})`
  }
  return keys.reduceRight((rest, key, index) => {
    const beyond = past(key, values[index])
    return rest === '' ? beyond : `(${beyond} or (${key.sql} is not distinct from ${values[index]} and ${rest}))`
  }, '')
}

function past ({ sql, descending, nullable }: OrderingKey, value: string): string {
  const compared = `${sql} ${descending ? '<' : '>'} ${value}`
  if (nullable !== true) return compared
  return descending ? `(${compared} or (${value} is null and ${sql} is not null))` : `(${compared} or (${sql} is null and ${value} is not null))`
}

/** The page that a cursor points to: its number and its size. */
export interface PagePosition {
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
    const isValue = value === null ? nullable === true : fits[type]?.(value) === true && (pattern?.test(value) ?? true) && !(value < minimum)
    if (!isValue) throw invalid
  }
  return page === undefined ? { values } : { values, place: { page: Number(page), size: Number(size) } }
}
