import type { Row } from '../database/sql.ts'

/** The record with the wanted fields alone, in the order of its schema. */
export function pick (record: Row, wanted: string[]): Row {
  return Object.fromEntries(Object.entries(record).filter(([field]) => wanted.includes(field)))
}
