import { ValidationError } from '../http/errors.ts'
import { idType } from './conditions.ts'
import type { OrderingColumn, Readable } from './resource.ts'

/** One key of an ordering. */
export interface OrderingKey extends OrderingColumn {
  field: string
  descending: boolean
}

/** By `nombre`, ignoring case and accents (decision 29). For resources with few records, which need no index. */
export const byName: OrderingColumn = { sql: 'sort_text(t.nombre) collate "C"', type: 'text', by: 'sort_text' }

const byId: OrderingKey = { field: 'id', sql: 't.id', type: idType, descending: false, indexed: true }

/**
 * The keys of `ordering=folio,-monto`, always ended by `id`, so that every order is total.
 * @param ordering its parts; the schema lets through those alone that {@link orderings} has
 * @throws {ValidationError} under `ordering` for a field that is named twice
 */
export function parseOrdering (resource: Readable, ordering: string[] = []): OrderingKey[] {
  const keys: OrderingKey[] = []
  for (const part of ordering) {
    const descending = part.startsWith('-')
    const field = descending ? part.slice(1) : part
    const column = field === 'id' ? byId : resource.ordering[field] as OrderingColumn
    if (keys.some(key => key.field === field)) {
      throw new ValidationError([{ field: 'ordering', key: 'orderedTwice', values: { field } }])
    }
    keys.push({ ...column, field, descending })
  }
  const id = keys.findIndex(key => key.field === 'id')
  return id === -1 ? [...keys, byId] : keys.slice(0, id + 1)
}

/** What a resource's lists can be ordered by, both ways. */
export function orderings (resource: Readable): string[] {
  return ['id', ...Object.keys(resource.ordering)].flatMap(field => [field, `-${field}`])
}

/** The keys as they would be asked for: what names an order in cursors and statements. */
export function orderingName (keys: OrderingKey[]): string {
  return keys.map(({ field, descending }) => (descending ? '-' : '') + field).join(',')
}

/** The `order by` list. Nulls are the largest values, as PostgreSQL has it by itself. */
export function orderBy (keys: OrderingKey[]): string {
  return keys.map(({ sql, descending }) => descending ? `${sql} desc` : sql).join(', ')
}

/**
 * The condition "after the row whose keys have these values" (keyset pagination), `values` being SQL for each key's
 * value. Where nothing is null and all keys run the same way it is one row comparison, which an index answers.
 */
export function after (keys: OrderingKey[], values: string[]): string {
  const [first] = keys as [OrderingKey]
  if (keys.every(key => key.nullable !== true && key.descending === first.descending)) {
    return `(${keys.map(key => key.sql).join(', ')}) ${first.descending ? '<' : '>'} (${values.join(', ')})`
  }
  return keys.reduceRight((rest, key, index) => {
    const beyond = past(key, values[index] as string)
    return rest === '' ? beyond : `(${beyond} or (${key.sql} is not distinct from ${values[index] as string} and ${rest}))`
  }, '')
}

function past ({ sql, descending, nullable }: OrderingKey, value: string): string {
  const compared = `${sql} ${descending ? '<' : '>'} ${value}`
  if (nullable !== true) return compared
  return descending ? `(${compared} or (${value} is null and ${sql} is not null))` : `(${compared} or (${sql} is null and ${value} is not null))`
}
