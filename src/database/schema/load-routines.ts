import type { Row } from '../connection/sql.ts'
import { isOurs } from './ours.ts'
import { routines, routinesVersion, type RoutineFile } from './routines.ts'

/** Runs statements in a transaction. */
export type Execute = (sql: string) => Promise<Row[]>

/** Names of the functions and procedures that were loaded from files, and of those without a file, which were dropped. */
export interface LoadedRoutines {
  loaded: string[]
  dropped: string[]
}

/**
 * SQL of a hash of a function's definition, without its owner and grants, which `obra doctor` checks by itself. A body in standard SQL is
 * compared without casts and brackets, because pg_dump prints and reads it with others.
 */
const definitionSql = `md5(concat_ws(' ', p.prosrc, regexp_replace(pg_get_function_sqlbody(p.oid),
  '::(text|character varying)(\\[\\])?|[()]', '', 'g'),
  p.prolang, p.prosecdef, p.proconfig::text, p.provolatile, p.proisstrict, p.proparallel,
  pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)))`

/** SQL of a function's name as in {@link RoutineFile}, over `p` and `n`. */
const nameSql = "case n.nspname when 'public' then '' else n.nspname || '.' end || p.proname"
const ours = `p.pronamespace in ('public'::regnamespace, 'search'::regnamespace) and ${isOurs('pg_proc', 'p.oid')}`

/**
 * Functions and procedures of the database. `noted` is the hash of the file that made one, or null. `is_changed` tells whether somebody has
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

/** Files that differ from the database. @param rows of {@link routinesSql} */
export function staleFiles (rows: RoutineRow[]): RoutineFile[] {
  return routines.filter(({ name, hash, overloads }) => {
    const own = rows.filter(row => row.name === name)
    return own.length !== overloads || own.some(({ noted, is_changed: isChanged }) => noted !== hash || isChanged)
  })
}

/** Functions that a file has made which no longer exists. @param rows of {@link routinesSql} */
export function abandoned (rows: RoutineRow[]): RoutineRow[] {
  const names = new Set(routines.map(({ name }) => name))
  return rows.filter(({ name, noted }) => noted !== null && !names.has(name))
}

/**
 * Loads the files whose text differs from the database, and drops what no file defines any more. The comment of each function notes the
 * file and the definition that PostgreSQL made of it.
 * @param execute as the owner, in the transaction of the migrations
 * @throws {Error} if the database has other overloads than a file: a migration must drop them
 */
export async function loadRoutines (execute: Execute): Promise<LoadedRoutines> {
  const rows = await execute(routinesSql) as RoutineRow[]
  const [stale, dropped] = [staleFiles(rows), abandoned(rows)]
  if (stale.length > 0 || dropped.length > 0) {
    const isOfSearch = [...stale, ...dropped].some(({ name }) => name.startsWith('search.'))
    if (isOfSearch) await execute(membership('grant obra_search to'))
    for (const { sql } of stale) await execute(sql)
    await note(execute, stale)
    for (const row of dropped) await execute(`drop ${kindOf(row)} ${row.signature}`)
    if (isOfSearch) await execute(membership('revoke obra_search from'))
  }
  await noteVersion(execute)
  return { loaded: stale.map(({ name }) => name), dropped: dropped.map(({ name }) => name) }
}

function kindOf ({ is_procedure: isProcedure }: RoutineRow): string {
  return isProcedure ? 'procedure' : 'function'
}

/** Comments the functions of files. */
async function note (execute: Execute, files: RoutineFile[]): Promise<void> {
  const rows = await execute(routinesSql) as RoutineRow[]
  for (const { name, path, hash, overloads } of files) {
    const own = rows.filter(row => row.name === name)
    if (own.length !== overloads) {
      const signatures = own.map(({ signature }) => signature).join(', ')
      throw new Error(`src/${path} defines ${overloads} of ${signatures}: drop the others in a migration`)
    }
    for (const row of own) await execute(`comment on ${kindOf(row)} ${row.signature} is 'obra ${hash} ${row.definition}'`)
  }
}

/** Notes that this release has loaded its functions. The releases that have loaded theirs since its last load must do so again. */
async function noteVersion (execute: Execute): Promise<void> {
  const [last] = await execute("select name from mikro_orm_migrations where name like 'routines-%' order by id desc limit 1")
  if (last?.['name'] === routinesVersion) return
  const first = `select min(id) from mikro_orm_migrations where name = '${routinesVersion}'`
  await execute(`delete from mikro_orm_migrations where name like 'routines-%' and id >= (${first})`)
  await execute(`insert into mikro_orm_migrations (name) values ('${routinesVersion}')`)
}

/** An owner who is no superuser is a member of obra_search while it replaces functions of that role: see migrations/baseline/roles.sql. */
function membership (change: string): string {
  return `
    do $$ begin
      if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('${change} %I', current_user);
      end if;
    end $$`
}
