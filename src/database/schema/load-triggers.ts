import type { DeclaredTrigger } from './declared.ts'
import type { Execute } from './load-routines.ts'
import { isOurs } from './ours.ts'

/** SQL of a hash of a trigger's definition, without casts and brackets, because pg_dump prints and reads it with others. */
const definitionSql = "md5(regexp_replace(pg_get_triggerdef(t.oid), '::(text|character varying)(\\[\\])?|[()]', '', 'g'))"

/**
 * Triggers of the database. `noted` is the hash of the declaration that made one, or null. `is_changed`: somebody has changed it since.
 */
export const triggersSql = `
  select c.relname::text as table, t.tgname::text as name, t.tgconstraint <> 0 as is_constraint,
    split_part(d.note, ' ', 2) as noted,
    split_part(d.note, ' ', 3) is distinct from d.definition as is_changed, d.definition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  cross join lateral (
    select substring(obj_description(t.oid, 'pg_trigger') from '^obra [0-9a-f]{32} [0-9a-f]{32}$') as note,
      ${definitionSql} as definition) d
  where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and ${isOurs('pg_class', 'c.oid')} order by 1, 2`

/** A row of {@link triggersSql}. */
export interface TriggerRow {
  table: string
  name: string
  is_constraint: boolean
  noted: string | null
  is_changed: boolean
  definition: string
}

type Named = Pick<TriggerRow, 'table' | 'name'>

/** The name of a trigger with its table. */
export function fullName ({ table, name }: Named): string {
  return `${table}.${name}`
}

/** Declared triggers that the database lacks, or that differ in it. @param rows of {@link triggersSql} */
export function staleTriggers (triggers: readonly DeclaredTrigger[], rows: TriggerRow[]): DeclaredTrigger[] {
  const present = byName(rows)
  return triggers.filter((trigger) => {
    const row = present.get(fullName(trigger))
    return row === undefined || row.noted !== trigger.hash || row.is_changed
  })
}

/** Triggers that a load has made and that no declaration has any more. Those of others stay. @param rows of {@link triggersSql} */
export function abandonedTriggers (triggers: readonly DeclaredTrigger[], rows: TriggerRow[]): TriggerRow[] {
  const declared = byName(triggers)
  return rows.filter(row => row.noted !== null && !declared.has(fullName(row)))
}

/**
 * Creates or replaces triggers. The comment of each notes its declaration and the definition that PostgreSQL made of it.
 * @param present rows of {@link triggersSql}
 */
export async function loadTriggers (execute: Execute, triggers: DeclaredTrigger[], present: TriggerRow[]): Promise<void> {
  if (triggers.length === 0) return
  const before = byName(present)
  const statements = triggers.flatMap((trigger) => {
    const row = before.get(fullName(trigger))
    // PostgreSQL cannot replace constraint triggers.
    if (row !== undefined && (row.is_constraint || trigger.sql.startsWith('create constraint'))) return [dropping(row), trigger.sql]
    return [trigger.sql.replace(/^create trigger/, 'create or replace trigger')]
  })
  // A table with pending events of deferred triggers cannot lose a trigger.
  await execute(['set constraints all immediate', ...statements].join(';\n'))
  const after = byName(await execute<TriggerRow>(triggersSql))
  await execute(triggers.map((trigger) => {
    return `comment on trigger ${trigger.name} on ${trigger.table} is 'obra ${trigger.hash} ${after.get(fullName(trigger))?.definition}'`
  }).join(';\n'))
}

/** Drops triggers. */
export async function dropTriggers (execute: Execute, triggers: Named[]): Promise<void> {
  if (triggers.length > 0) await execute(triggers.map(dropping).join(';\n'))
}

function dropping ({ table, name }: Named): string {
  return `drop trigger ${name} on ${table}`
}

function byName<T extends Named> (triggers: readonly T[]): Map<string, T> {
  return new Map(triggers.map(trigger => [fullName(trigger), trigger]))
}
