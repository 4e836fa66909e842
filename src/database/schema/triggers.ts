import type { TriggerDef } from '@mikro-orm/core'

/** A trigger on a table. A migration creates the function that it calls. */
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

/** The triggers that the procedure `keep_revisions_of` adds to a table of a company's records. */
export function recordTriggers (table: string): Triggers {
  const calls = `${table}_revision`
  return {
    revision_insert: { fires: 'after insert', rows: 'new table as new_rows', calls },
    revision_update: { fires: 'after update', rows: 'new table as new_rows', calls },
    revision_delete: { fires: 'after delete', rows: 'old table as old_rows', calls },
    touch_record: { fires: 'before update' },
    refuse_truncate: { fires: 'before truncate', forEach: 'statement' }
  }
}

/** What the history of a table has (decision 51). */
export interface HistoryColumns {
  /** Columns whose values it has. */
  shown: readonly string[]
  /** Columns whose changes it notes, without the values. */
  hidden: readonly string[]
  /** The column with the company of a record. Without it, the record belongs to none. */
  company?: string
  /** The column with the customer of an account that belongs to no company. */
  customer?: string
}

/**
 * The triggers that the procedure `keep_history_of` adds to a table. Their name puts them after the triggers that lock the company,
 * and before those of sums and effects.
 */
export function historyTriggers (table: string, { shown, hidden, company = '', customer = '' }: HistoryColumns): Triggers {
  const args = [shown.join(), hidden.join(), company, customer]
  const triggers = Object.entries(sumTriggers('save_history'))
  return Object.fromEntries(triggers.map(([name, trigger]) => [name, { ...trigger, calls: `${table}_history`, args }]))
}

/** The triggers that keep sums over a table's records. */
export function sumTriggers (calls: string): Triggers {
  return {
    [`${calls}_insert`]: { fires: 'after insert', rows: 'new table as new_rows', calls },
    [`${calls}_update`]: { fires: 'after update', rows: 'old table as old_rows new table as new_rows', calls },
    [`${calls}_delete`]: { fires: 'after delete', rows: 'old table as old_rows', calls }
  }
}

/**
 * MikroORM's definitions of a table's triggers. They are complete statements, because MikroORM's own form creates a function for each
 * trigger.
 */
export function triggerDefs (table: string, triggers: Triggers): TriggerDef[] {
  return Object.entries(triggers).map(([name, trigger]) => {
    const [timing, ...events] = trigger.fires.match(/\b(before|after|insert|update|delete|truncate)\b/g) ?? []
    return { name, timing, events, expression: statement(table, name, trigger) } as TriggerDef
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
