import type { TriggerDef } from '@mikro-orm/core'
import { historyFunction, type HistoryColumns } from './history-function.ts'
import { revisionFunction } from './revision-function.ts'

/** A trigger on a table. `obra migrate` installs it. The function that it calls has a file, unless the declaration has its text. */
export interface Trigger {
  /** Time and events, such as `before insert or update of user_id`. */
  fires: string
  /** Condition on `new` and `old`. */
  when?: string
  /** Transition table, such as `new table as new_rows`. The trigger then fires once per statement. */
  rows?: string
  forEach?: 'row' | 'statement'
  /** The function. Default: the trigger's name. */
  calls?: string
  /** Text of the function that it calls, if the function has no file: `create or replace function …`, with settings and rights. */
  routine?: string
  /** Arguments of the function, as texts. */
  args?: readonly string[]
  /** Makes it a constraint trigger. `initially deferred`: it fires at the commit. `initially immediate`: a transaction can defer it. */
  deferrable?: 'initially deferred' | 'initially immediate'
}

/** Triggers by their names. */
export type Triggers = Record<string, Trigger>

/** Every account table has it, so that changes with psql update the same columns as the API. */
export const accountTriggers: Triggers = { touch_account: { fires: 'before update' } }

/** `truncate` fires no other triggers. */
export const raiseAuthorityOnTruncate: Triggers = {
  raise_authority_truncate: { fires: 'after truncate', forEach: 'statement', calls: 'raise_authority_of_all' }
}

/** The triggers of every table of a company's records. They raise the company's revision. */
export function recordTriggers (table: string): Triggers {
  const made = { calls: `${table}_revision`, routine: revisionFunction(table) }
  return {
    revision_insert: { fires: 'after insert', rows: 'new table as new_rows', ...made },
    revision_update: { fires: 'after update', rows: 'new table as new_rows', ...made },
    revision_delete: { fires: 'after delete', rows: 'old table as old_rows', ...made },
    touch_record: { fires: 'before update' },
    refuse_truncate: { fires: 'before truncate', forEach: 'statement' }
  }
}

/**
 * The triggers that write the history of a table. Their name puts them after the triggers that lock the company, and before those of sums
 * and effects.
 */
export function historyTriggers (table: string, columns: HistoryColumns): Triggers {
  const made = { calls: `${table}_history`, routine: historyFunction(table, columns) }
  const triggers = Object.entries(sumTriggers('save_history'))
  return Object.fromEntries(triggers.map(([name, trigger]) => [name, { ...trigger, ...made }]))
}

/** The triggers that keep sums over a table's records. */
export function sumTriggers (calls: string): Triggers {
  return {
    [`${calls}_insert`]: { fires: 'after insert', rows: 'new table as new_rows', calls },
    [`${calls}_update`]: { fires: 'after update', rows: 'old table as old_rows new table as new_rows', calls },
    [`${calls}_delete`]: { fires: 'after delete', rows: 'old table as old_rows', calls }
  }
}

/** MikroORM's definition of a trigger, with the text of the function that it calls, unless that has a file. */
export type DefinedTrigger = TriggerDef & Pick<Trigger, 'routine'>

/**
 * MikroORM's definitions of a table's triggers. They are complete statements, because MikroORM's own form creates a function for each
 * trigger.
 */
export function triggerDefs (table: string, triggers: Triggers): DefinedTrigger[] {
  return Object.entries(triggers).map(([name, trigger]) => {
    const [timing, ...events] = trigger.fires.match(/\b(before|after|insert|update|delete|truncate)\b/g) ?? []
    const expression = statement(table, name, trigger)
    return { name, timing, events, expression, routine: trigger.routine } as DefinedTrigger // the pattern above matches only these words
  })
}

function statement (table: string, name: string, trigger: Trigger): string {
  const { fires, when, rows, forEach = rows === undefined ? 'row' : 'statement', calls = name, args = [], deferrable } = trigger
  return [
    `create ${deferrable === undefined ? 'trigger' : 'constraint trigger'} ${name} ${fires} on ${table}`,
    deferrable === undefined ? [] : `deferrable ${deferrable}`,
    rows === undefined ? [] : `referencing ${rows}`,
    `for each ${forEach}`,
    when === undefined ? [] : `when (${when})`,
    `execute function ${calls}(${args.map(arg => `'${arg.replaceAll("'", "''")}'`).join(', ')})`
  ].flat().join(' ')
}
