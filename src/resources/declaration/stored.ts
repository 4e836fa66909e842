import { Type, type TObject, type TProperties } from '@sinclair/typebox'
import type { FieldSpec } from './field-spec.ts'
import { shownSchema, type Spec } from './route-schemas.ts'
import { Past } from './schemas.ts'

/** The values that a record itself stores, without those of other records. They change only when its `version` does. */
export interface Stored {
  /** SQL of these values as a JSON text, over `t`. */
  json: string
  schema: TObject
}

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const past = `${instant('t.created_at')} as created_at, ${instant('t.updated_at')} as updated_at, t.version`

/** SQL of a column's value in JSON. Numbers of JSON are not exact, so decimals are texts. */
export function inJson (column: string, { type, printed }: FieldSpec): string {
  const value = printed?.(column) ?? column
  if (type === 'timestamptz') return instant(value)
  return type === 'numeric' ? `${value}::text` : value
}

/**
 * Derives the stored values of a resource from its fields. Omits values of other records, such as names and sums, and values that are
 * computed until the database stores them, such as the amounts of an estimate before its authorization.
 * @param head schemas of the fields before the resource's own, which `headSql` selects
 */
export function storedOf (title: string, head: TProperties, headSql: string, shown: Spec[]): Stored {
  const own = shown.flatMap(([field, spec]) => {
    const column = ownColumn(field, spec)
    return column === undefined ? [] : [[field, column, spec] as const]
  })
  const fixed = shown.filter(([, { property, sql }]) => property !== undefined && sql !== undefined)
  const select = (some: ReadonlyArray<readonly [string, string, FieldSpec]>) =>
    some.map(([field, column, spec]) => `${inJson(`t.${column}`, spec)} as "${field}"`)
  const json = (columns: string[]) => `(select row_to_json(x) from (select ${[headSql, ...columns, past].join(', ')}) x)`
  // They are stored together, so one null means all.
  const [first] = fixed
  const plain = json(select(own))
  const whole = json(select([...own, ...fixed.map(([field, spec]) => [field, field, spec] as const)]))
  return {
    json: `(${first === undefined ? plain : `case when t.${first[0]} is null then ${plain} else ${whole} end`})::text`,
    schema: Type.Object({
      ...head,
      ...Object.fromEntries(own.map(([field, , spec]) => [field, shownSchema(spec)])),
      ...Object.fromEntries(fixed.map(([field, spec]) => [field, Type.Optional(shownSchema(spec))])),
      ...Past
    }, { title: `Stored${title}` })
  }
}

/** The record's own column that a field shows, if it shows one. Its SQL is then only `t.column`. */
function ownColumn (field: string, { property, reference, sql }: FieldSpec): string | undefined {
  if (sql !== undefined) return /^t\.(\w+)$/.exec(sql)?.[1]
  if (reference !== undefined) return `${field}_id`
  return property === undefined ? undefined : field
}
