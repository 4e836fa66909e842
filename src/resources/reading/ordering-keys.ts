import type { OrderingColumn } from '../declaration/field-spec.ts'

/** One key of an ordering. */
export interface OrderingKey extends OrderingColumn {
  field: string
  descending: boolean
}

/** Sorts by `nombre`, ignoring case and accents (decision 8). For resources with few records, which need no index. */
export const byName: OrderingColumn = { sql: 'sort_text(t.nombre) collate "C"', type: 'text', by: 'sort_text' }

/** The `order by` list. Nulls are the largest values, as by default in PostgreSQL. */
export function orderBy (keys: OrderingKey[]): string {
  return keys.map(({ sql, descending }) => descending ? `${sql} desc` : sql).join(', ')
}

/**
 * SQL condition: the row comes after the row with these keys (keyset pagination). If no key is nullable and all have the same direction, it
 * is one row comparison, which can use an index.
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
  return descending
    ? `(${compared} or (${value} is null and ${sql} is not null))`
    : `(${compared} or (${sql} is null and ${value} is not null))`
}
