import { ValidationError } from '../http/errors.ts'
import type { Row } from '../database/sql.ts'
import { isDate, isInstant } from './validation/formats.ts'
import { idType, recordId } from './conditions.ts'
import { orderingName, type OrderingKey } from './ordering.ts'

/** The page that a cursor leads to: its number, and records a page. */
export interface Place {
  page: number
  size: number
}

/** A cursor to the rows after this one: opaque to clients, bound to the ordering, holding the row's keys. */
export function cursorAfter (row: Row, keys: OrderingKey[], place?: Place): string {
  const where = place === undefined ? '' : `@${place.page}.${place.size}`
  return Buffer.from(JSON.stringify([orderingName(keys) + where, ...keys.map(({ field }) => row[field])])).toString('base64url')
}

const largestInt = 2_147_483_647

const fits: Record<string, (value: unknown) => boolean> = {
  [idType]: value => value !== 0 && recordId(value) === value,
  int: value => value !== 0 && recordId(value) === value && value <= largestInt,
  numeric: value => typeof value === 'string' && /^\d{1,16}\.\d\d$/.test(value),
  date: value => typeof value === 'string' && isDate(value),
  timestamptz: value => typeof value === 'string' && isInstant(value),
  text: value => typeof value === 'string' && !value.includes('\0')
}

/**
 * The keys' values in a cursor, and the page that it leads to, if it says so.
 * @throws {ValidationError} under `cursor` when it is not one of this ordering's
 */
export function readCursor (cursor: string, keys: OrderingKey[]): { values: unknown[], place?: Place } {
  const invalid = new ValidationError([{ field: 'cursor', key: 'invalidCursor' }])
  const bytes = Buffer.from(cursor, 'base64url')
  // Decoding passes over what is not base64; no cursor of ours has such.
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
  for (const [index, { type, nullable }] of keys.entries()) {
    const value = values[index]
    if (value === null ? nullable !== true : fits[type]?.(value) !== true) throw invalid
  }
  return page === undefined ? { values } : { values, place: { page: Number(page), size: Number(size) } }
}
