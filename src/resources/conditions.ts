import type { Condition } from './resource.ts'

/** The largest id there can be: PostgreSQL's `int`. */
export const largestId = 2_147_483_647

/** An id of a path, query or body as a value that PostgreSQL's `int` holds; what is no such id (`0x1`, ids out of range) is nobody's, as 0 is. */
export function recordId (value: unknown): number {
  const id = typeof value === 'string' && !/^\d+$/.test(value) ? 0 : Number(value)
  return Number.isInteger(id) && id > 0 && id <= largestId ? id : 0
}

/** A filter: the column has the value. */
export function equals (sql: string, type: string): (value: unknown) => Condition {
  return value => ({ sql: `${sql} = $`, type, value })
}

/** A filter: the column, whose values are unique in the company, has the value. */
export function isThe (sql: string, type: string): (value: unknown) => Condition {
  return value => ({ sql: `${sql} = $`, type, value, single: true })
}

/** A filter: the column compares so with the value. */
export function compares (sql: string, operator: '>=' | '<=', type: string): (value: unknown) => Condition {
  return value => ({ sql: `${sql} ${operator} $`, type, value })
}

/** A filter by reference: an id, `null` for none or, where a column of names is given, an exact name. */
export function refersTo (sql: string, nameSql?: string): (value: string) => Condition {
  return (value) => {
    if (value === 'null') return { sql: `${sql} is null` }
    if (nameSql === undefined || /^\d+$/.test(value)) return { sql: `${sql} = $`, type: 'int', value: recordId(value) }
    return { sql: `${nameSql} = $`, type: 'text', value, joins: true }
  }
}

/** A filter: the record has changed at or after an instant. */
export function updatedSince (value: unknown): Condition {
  return { sql: 't.updated_at >= $', type: 'timestamptz', value, narrow: true }
}
