import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filed } from '../schema/routines.ts'

// SQL that several migrations share. A landed migration never changes, so a function here keeps its result.

/**
 * Statements of `.sql` files.
 * @param folder beside the migrations
 * @param parts names of files, in the order of their dependencies
 */
export function statementsOf (folder: string, ...parts: string[]): string {
  return parts.map(part => readFileSync(join(import.meta.dirname, folder, `${part}.sql`), 'utf8')).join('\n')
}

/**
 * Functions that generated columns and indexes of a new table need. All others are loaded after the last migration. The text is the present
 * one: if it changes, a later migration computes the columns again.
 * @param names of functions that have a file
 */
export function routinesOf (...names: string[]): string {
  return names.map(name => filed.find(routine => routine.name === name)?.sql ?? failed(`the function ${name} has no file`)).join('\n')
}

/** SQL condition: a row belongs to one of `app.companies`. The subquery reads the setting once per statement. */
export const admitted = "(company_id = any ((select nullif(current_setting('app.companies', true), '')::int[] as nullif)::int[])) is true"

/** Row-level security of tables with records of companies: a transaction sees and writes those of `app.companies`. */
export function walls (...tables: string[]): string {
  return tables.map(table => `
    alter table ${table} enable row level security, force row level security;
    create policy company_admitted on ${table} using (${admitted}) with check (${admitted});`).join('\n')
}

function failed (message: string): never {
  throw new Error(message)
}
