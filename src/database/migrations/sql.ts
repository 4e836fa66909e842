import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// SQL that several migrations share. A landed migration never changes, so a function here keeps its result.

/**
 * Statements of `.sql` files.
 * @param folder beside the migrations
 * @param parts names of files, in the order of their dependencies
 */
export function statementsOf (folder: string, ...parts: string[]): string {
  return parts.map(part => readFileSync(join(import.meta.dirname, folder, `${part}.sql`), 'utf8')).join('\n')
}

/** Row-level security of tables with records of companies: a transaction sees and writes those of `app.companies`. */
export function walls (...tables: string[]): string {
  const admitted = "(company_id = any ((select nullif(current_setting('app.companies', true), '')::int[] as nullif)::int[])) is true"
  return tables.map(table => `
    alter table ${table} enable row level security, force row level security;
    create policy company_admitted on ${table} using (${admitted}) with check (${admitted});`).join('\n')
}

/** Columns that only a new row gets. */
export function fixed (table: string, ...columns: string[]): string {
  return columns.map(column => `
    create trigger fixed_${column} before update on ${table}
    for each row when (new.${column} is distinct from old.${column}) execute function refuse_fixed('${column}');`).join('\n')
}

/**
 * A column that is a copy of the parent's. The procedure `make_copy_from_parent` makes the function that copies it.
 * @param column of the table
 * @param parent column that refers to the parent
 * @param parents the parent's table
 * @param source the column there
 */
export function copied (table: string, column: string, parent: string, parents: string, source: string): string {
  const args = [column, parent, parents, source].map(word => `'${word}'`).join(', ')
  return `
    call make_copy_from_parent('${table}', ${args});
    create trigger copy_${column} before insert on ${table}
    for each row when (new.${column} is null) execute function copy_${table}_${column}(${args});
    create trigger keep_${column} after insert on ${table} referencing new table as new_rows
    for each statement execute function keep_copied(${args});`
}

/**
 * Triggers after each statement that writes rows of a table, with their transition tables.
 * @param name of the triggers, before the event
 * @param call of the function
 */
export function afterStatements (table: string, name: string, call: string): string {
  const transitions = {
    insert: 'new table as new_rows',
    update: 'old table as old_rows new table as new_rows',
    delete: 'old table as old_rows'
  }
  return Object.entries(transitions).map(([event, rows]) => `
    create trigger ${name}_${event} after ${event} on ${table} referencing ${rows}
    for each statement execute function ${call};`).join('\n')
}

/**
 * Makes functions read by index. A function keeps the plan of its first call, for which a table can be small, so a plan must not depend on
 * the size of tables. A sort that cannot be avoided is not compiled.
 * @param functions names that are not overloaded
 */
export function readByIndex (...functions: string[]): string {
  const plans = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'
  return functions.map(name => `alter function ${name} ${plans};`).join('\n')
}

/**
 * Statements that replace functions of `obra_search`. An owner of the database who is no superuser is a member of that role meanwhile: see
 * baseline/roles.sql.
 */
export function asSearch (statements: string): string {
  const membership = (change: string) => `
    do $$ begin
      if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('${change} %I', current_user);
      end if;
    end $$;`
  return [membership('grant obra_search to'), statements, membership('revoke obra_search from')].join('\n')
}
