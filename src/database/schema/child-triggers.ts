import { byIndex } from '../by-index.ts'
import type { Trigger, Triggers } from './triggers.ts'
import { namesIn } from '../../http/names.ts'

/** Events of a statement, with the rows before and after. */
const statements = {
  insert: { fires: 'after insert', rows: 'new table as new_rows' },
  update: { fires: 'after update', rows: 'old table as old_rows new table as new_rows' },
  delete: { fires: 'after delete', rows: 'old table as old_rows' }
} as const satisfies Record<string, Trigger>

/** An event of a statement. */
export type StatementEvent = keyof typeof statements

const allEvents = namesIn(statements)

function afterStatements (name: string, calls: string, args: string[], events: readonly StatementEvent[] = allEvents): Triggers {
  return Object.fromEntries(events.map(event => [`${name}_${event}`, { ...statements[event], calls, args }]))
}

/**
 * A function of a trigger per row, which reads by index. It keeps the plan of its first call, for which a table can be small, so the plan
 * must not depend on the size of tables. A sort that cannot be avoided is not compiled.
 * @param sets statements that set columns of `new`
 */
function rowFunction (name: string, sets: string): string {
  return `create or replace function ${name}() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_company(new.company_id);
  ${sets}
  return new;
end
$$;
`
}

/** Numbers the records of a parent. @param columns within which they count, such as that of the parent */
export function numberTrigger (table: string, field: string, columns: readonly string[]): Triggers {
  const calls = `number_${table}_${field}`
  const routine = rowFunction(calls, `new.${field} := ${nextNumber(table, field, columns)};`)
  return { [`number_${field}`]: { fires: 'before insert', calls, routine } }
}

/** A column that a new record gets, or that is set when the record gets a state. */
export interface SetColumn {
  column: string
  state: string | undefined
  /** SQL of the value over `new`. */
  value: string
}

/** SQL over `new` of the next number among the records with the same values in some columns. @param where further condition */
export function nextNumber (table: string, field: string, columns: readonly string[], where = ''): string {
  const isAmong = ['company_id', ...columns].map(column => `t.${column} = new.${column}`).join(' and ')
  return `1 + coalesce((
    select t.${field} from ${table} t where ${isAmong}${where}
    order by t.${field} desc limit 1), 0)`
}

/** SQL over `new`: the user who writes, as a record keeps it. */
export function keptUserOf (table: string): string {
  return `kept_user(caller_of('${table}', new.id))`
}

/**
 * Sets columns when the record is created or gets a state, and keeps them otherwise. PostgreSQL fires triggers in the order of their names,
 * so `set_columns` runs after the `guard` triggers, which can refuse the state.
 */
export function setTriggers (table: string, columns: readonly SetColumn[]): Triggers {
  if (columns.length === 0) return {}
  const calls = `set_${table}`
  const set = ({ column, value }: SetColumn) => `new.${column} := ${value};`
  const kept = ({ column }: SetColumn) => `new.${column} := old.${column};`
  const blocks = [...Map.groupBy(columns, ({ state }) => state)].map(([state, some]) => {
    const when = state === undefined ? "tg_op = 'INSERT'" : `new.estado = '${state}' and old.estado is distinct from new.estado`
    return `if ${when} then
    ${some.map(set).join('\n    ')}
  else
    ${some.map(kept).join('\n    ')}
  end if;`
  })
  const routine = rowFunction(calls, blocks.join('\n  '))
  return { set_columns: { fires: 'before insert or update', calls, routine } }
}

/** Refuses changes of columns that only a new record gets. */
export function fixedTriggers (columns: readonly string[]): Triggers {
  const refusal = (column: string): Trigger => {
    return { fires: 'before update', when: `new.${column} is distinct from old.${column}`, calls: 'refuse_fixed', args: [column] }
  }
  return Object.fromEntries(columns.map(column => [`fixed_${column}`, refusal(column)]))
}

/** A value of the parent that the new record keeps. */
export interface CopiedColumn {
  column: string
  /** The reference to the parent, its table, and the column there. */
  via: string
  table: string
  source: string
}

/** Copies a value from the parent for writers that do not give it, and refuses another one. */
export function copyTriggers (child: string, { column, via, table, source }: CopiedColumn): Triggers {
  const calls = `copy_${child}_${column}`
  const routine = rowFunction(calls, byIndex(`select p.${source} into new.${column} from ${table} p
  where p.company_id = new.company_id and p.id = by_index(new.${via}_id) limit 1;`, ''))
  return {
    [`copy_${column}`]: { fires: 'before insert', when: `new.${column} is null`, calls, routine },
    [`keep_${column}`]: { ...statements.insert, calls: 'keep_copied', args: [column, `${via}_id`, table, source] }
  }
}

/** The state of a parent that allows writes of its records. */
export interface WritableState {
  /** Column of the parent, its table, and SQL of its state over its columns. */
  parent: string
  table: string
  state: string
  /** The states that allow writes. */
  allowed: readonly string[]
  /** Columns that stay writable. */
  free: readonly string[]
  /** SQL condition over the record, `w`, for which the state counts. */
  where: string | undefined
}

/** Refuses writes of records whose parent has another state. */
export function writableTriggers ({ parent, table, state, allowed, free, where = 'true' }: WritableState): Triggers {
  return afterStatements(`keep_writable_${parent}`, 'keep_writable', [parent, table, state, allowed.join(), free.join(), where])
}

/** The column with the number of rows of a sum. */
export const rowsOf = (field: string) => `${field}_rows`

/** A sum that a parent keeps over its records. */
interface KeptSum {
  /** The parent's table, and its sum. */
  table: string
  field: string
  /** Column of the parent, and the amount. */
  parent: string
  amount: string
  /** SQL condition over the records that count. */
  where: string
}

/** Adds the records of each statement to the sum of their parents. */
export function keptSumTriggers ({ table, field, parent, amount, where }: KeptSum): Triggers {
  return afterStatements(`sum_${table}_${field}`, 'keep_sum', [table, field, rowsOf(field), parent, amount, where])
}

/** Refuses other changes of a sum. Changes by triggers have a depth. @param rows column with the number of rows of the sum */
export function derivedTriggers (field: string, rows = rowsOf(field)): Triggers {
  const when = `pg_trigger_depth() = 0 and (new.${rows} <> old.${rows} or (old.${rows} > 0 and new.${field} <> old.${field}))`
  return {
    [`derive_${field}_insert`]: { fires: 'before insert', when: `new.${rows} <> 0`, calls: 'refuse_derived', args: [field] },
    [`derive_${field}_update`]: { fires: 'before update', when, calls: 'refuse_derived', args: [field] }
  }
}

/** A change of the record that a reference refers to, after writes of the records that refer to it. */
interface OtherChange {
  on: readonly StatementEvent[]
  /** The other record's table, and the column that refers to it. */
  table: string
  column: string
  /** SQL by column of the other record, and the condition over that record, `p`. */
  set: Readonly<Partial<Record<string, string>>>
  where: string
}

/** Changes other records. The name comes after those of sums, which the condition can read. */
export function effectTriggers ({ on, table, column, set, where }: OtherChange): Triggers {
  const assignments = Object.entries(set).map(([name, sql]) => `${name} = ${sql}`).join(', ')
  return afterStatements(`then_${table}_${Object.keys(set).join('_')}`, 'apply_effect', [table, column, assignments, where], on)
}
