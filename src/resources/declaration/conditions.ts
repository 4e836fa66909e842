import { keyedRow } from '../../database/turns/keyed-row.ts'
import { idType } from '../../database/turns/batch-requests.ts'
import { recordId } from '../validation/convert.ts'

/** A condition of a list. `sql` refers to its value as `$`. */
export interface Condition {
  sql: string
  /** PostgreSQL type of the value. Absent if the condition has no value. */
  type?: string
  value?: unknown
  /** SQL that converts the value, which it refers to as `$`. Computed once per request and not once per row. */
  by?: string
  /** Whether the value is a search term, for which the search index finds candidates first. */
  term?: boolean
  /** Whether it can match few records, which an index finds. */
  narrow?: boolean
  /** Whether it matches one record at most, which an index finds. */
  single?: boolean
  /** Whether `sql` refers to the resource's `filterJoins`. */
  joins?: boolean
}

/** Converts the value of a list parameter, which its schema has validated, to a condition. */
export type Filter = (value: unknown) => Condition

/** Filter: the column equals the value. */
export function equals (sql: string, type: string): Filter {
  return value => ({ sql: `${sql} = $`, type, value })
}

/** Filter: the column equals the value. Its values are unique in the company. */
export function isThe (sql: string, type: string): Filter {
  return value => ({ sql: `${sql} = $`, type, value, single: true })
}

/** Filter: the column is at least, or at most, the value. */
export function compares (sql: string, operator: '>=' | '<=', type: string): Filter {
  return value => ({ sql: `${sql} ${operator} $`, type, value })
}

/**
 * Filter: whether the condition is true, with a statement for each of the two values. That for `true` can use an index with the condition.
 */
export function holds (sql: string): Filter {
  return value => value === true ? { sql: `(${sql})`, narrow: true } : { sql: `(${sql}) is not true` }
}

/** Filter: the column, with collation `C`, has this path or one below it: `02 Estructura` also finds `02 Estructura/02.1 Losas`. */
export function isAtOrBelow (sql: string): Filter {
  return value => ({ sql: `(${sql} = $ or (${sql} > $ || '/' and ${sql} < $ || '0'))`, type: 'text', value })
}

/** A table of the company, and its column of names, which are unique there. */
export interface Names {
  table: string
  column: string
}

/** Filter by reference: an id, `null` for none or, with names, an exact name. Digits beyond the range of ids are a name. */
export function refersTo (sql: string, names?: Names): Filter {
  return (value) => {
    if (value === 'null') return { sql: `${sql} is null` }
    const id = recordId(value)
    return names === undefined || id > 0 ? { sql: `${sql} = $`, type: idType, value: id } : refersToNamed(sql, names)(value)
  }
}

/** SQL: the id of the user that a column of `caller()` keeps. */
export function idOfUser (column: string): string {
  return `(${column} ->> 'id')::int`
}

/** Filter by the exact name of the referenced record. */
export function refersToNamed (sql: string, { table, column }: Names): Filter {
  const by = keyedRow(column, { table, as: 'n', select: 'n.id', value: '$' })
  return value => ({ sql: `${sql} = $`, type: 'text', value, by })
}

/** Filter: the record changed at or after the given time. */
export function updatedSince (value: unknown): Condition {
  return { sql: 't.updated_at >= $', type: 'timestamptz', value, narrow: true }
}
