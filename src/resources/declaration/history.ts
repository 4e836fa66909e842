import type { HistoryColumns } from '../../database/schema/history-function.ts'
import type { Spec } from './route-schemas.ts'
import { inJson } from './stored.ts'

/** A field in the history: its column, and SQL over `t` of its value in answers. */
export interface RecordedField {
  field: string
  column: string
  sql: string
}

/** What the history has of a resource's records. */
export interface Recorded {
  fields: RecordedField[]
  columns: Pick<HistoryColumns, 'shown' | 'hidden'>
}

/**
 * Derives what the history has from the fields of a resource: those of answers that the record itself stores. A reference that answers show
 * by name is there by id, as `<field>_id`. Changes of other fields, such as passwords, are noted without their values.
 */
export function recordedOf (specs: readonly Spec[]): Recorded {
  const stored = specs.filter(([, { property, reference, taken }]) => (property ?? reference) !== undefined && taken !== 'on update')
  const isShown = ([, { shown }]: Spec) => shown !== undefined
  const columnOf = ([field, { reference }]: Spec) => reference === undefined ? field : `${field}_id`
  return {
    fields: stored.filter(isShown).map((spec) => {
      const [field, { reference, sql, ...others }] = spec
      const column = columnOf(spec)
      return {
        field: reference !== undefined && sql !== undefined ? column : field,
        column,
        sql: reference === undefined && sql !== undefined && isOwn(sql) ? sql : inJson(`t.${column}`, others)
      }
    }),
    columns: {
      shown: stored.filter(isShown).map(columnOf),
      hidden: stored.filter(spec => !isShown(spec)).map(columnOf)
    }
  }
}

/** Whether SQL reads the record alone, and no other one that is joined. */
function isOwn (sql: string): boolean {
  return [...sql.replaceAll(/'[^']*'/g, '').matchAll(/\b(\w+)\.\w/g)].every(([, table]) => table === 't')
}
