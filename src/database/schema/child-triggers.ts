import type { Triggers } from './triggers.ts'

/** Numbers the records of a parent. @param parent column of the parent */
export function numberTrigger (field: string, parent: string): Triggers {
  return { [`number_${field}`]: { fires: 'before insert', calls: 'number_within', args: [field, parent] } }
}

/** A value of the parent that the new record keeps. */
export interface CopiedColumn {
  column: string
  /** The reference to the parent, its table, and the column there. */
  via: string
  table: string
  source: string
}

/** Copies a value from the parent for writers that do not give it. */
export function copyTrigger ({ column, via, table, source }: CopiedColumn): Triggers {
  return { [`copy_${column}`]: { fires: 'before insert', when: `new.${column} is null`, calls: 'copy_from_parent', args: [column, `${via}_id`, table, source] } }
}
