import type { Row } from '../connection/sql.ts'
import { isOurs } from './ours.ts'
import type { Routine } from './routines.ts'

/** Runs statements in a transaction. */
export type Execute = <R extends object = Row>(sql: string) => Promise<R[]>

/**
 * SQL of a hash of a function's definition, without its owner and grants, which `obra doctor` checks by itself. A body in standard SQL is
 * compared without casts and brackets, because pg_dump prints and reads it with others.
 */
const definitionSql = `md5(concat_ws(' ', p.prosrc, regexp_replace(pg_get_function_sqlbody(p.oid),
  '::(text|character varying)(\\[\\])?|[()]', '', 'g'),
  p.prolang, p.prosecdef, p.proconfig::text, p.provolatile, p.proisstrict, p.proparallel,
  pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)))`

/** SQL of a function's name as in {@link Routine}, over `p` and `n`. */
const nameSql = "case n.nspname when 'public' then '' else n.nspname || '.' end || p.proname"
const ours = `p.pronamespace in ('public'::regnamespace, 'search'::regnamespace) and ${isOurs('pg_proc', 'p.oid')}`

/**
 * Functions and procedures of the database. `noted` is the hash of the text that made one, or null. `is_changed` tells whether somebody has
 * changed it since.
 */
export const routinesSql = `
  select ${nameSql} as name, p.oid::regprocedure::text as signature, p.prokind = 'p' as is_procedure,
    split_part(d.note, ' ', 2) as noted, split_part(d.note, ' ', 3) is distinct from d.definition as is_changed, d.definition
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  cross join lateral (
    select substring(obj_description(p.oid, 'pg_proc') from '^obra [0-9a-f]{32} [0-9a-f]{32}$') as note, ${definitionSql} as definition) d
  where ${ours} and p.prokind in ('f', 'p') order by 1, 2`

/** A row of {@link routinesSql}. */
export interface RoutineRow {
  name: string
  signature: string
  is_procedure: boolean
  noted: string | null
  is_changed: boolean
  definition: string
}

/** Functions that differ from the database. @param rows of {@link routinesSql} */
export function staleRoutines (routines: readonly Routine[], rows: RoutineRow[]): Routine[] {
  return routines.filter(({ name, hash, overloads }) => {
    const own = rows.filter(row => row.name === name)
    return own.length !== overloads || own.some(({ noted, is_changed: isChanged }) => noted !== hash || isChanged)
  })
}

/** Functions that a load has made and that no longer exist. @param rows of {@link routinesSql} */
export function abandonedRoutines (routines: readonly Routine[], rows: RoutineRow[]): RoutineRow[] {
  const names = new Set(routines.map(({ name }) => name))
  return rows.filter(({ name, noted }) => noted !== null && !names.has(name))
}

/**
 * Creates or replaces functions. The comment of each notes its text and the definition that PostgreSQL made of it.
 * @throws {Error} if the database has other overloads: a migration must drop them
 */
export async function loadRoutines (execute: Execute, routines: Routine[]): Promise<void> {
  for (const { sql } of routines) await execute(sql)
  if (routines.length > 0) await note(execute, routines)
}

/** Drops functions. @param rows of {@link routinesSql} */
export async function dropRoutines (execute: Execute, rows: RoutineRow[]): Promise<void> {
  for (const row of rows) await execute(`drop ${kindOf(row)} ${row.signature}`)
}

function kindOf ({ is_procedure: isProcedure }: RoutineRow): string {
  return isProcedure ? 'procedure' : 'function'
}

async function note (execute: Execute, routines: Routine[]): Promise<void> {
  const rows = await execute<RoutineRow>(routinesSql)
  const comments = routines.flatMap(({ name, origin, hash, overloads }) => {
    const own = rows.filter(row => row.name === name)
    if (own.length !== overloads) {
      const signatures = own.map(({ signature }) => signature).join(', ')
      throw new Error(`${origin} defines ${overloads} of ${signatures}: drop the others in a migration`)
    }
    return own.map(row => `comment on ${kindOf(row)} ${row.signature} is 'obra ${hash} ${row.definition}'`)
  })
  await execute(comments.join(';\n'))
}
