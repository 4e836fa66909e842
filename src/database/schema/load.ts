import type { Row } from '../connection/sql.ts'
import type { Declared, DeclaredTrigger } from './declared.ts'
import {
  abandonedRoutines, dropRoutines, loadRoutines, routinesSql, staleRoutines, type Execute, type RoutineRow
} from './load-routines.ts'
import { abandonedTriggers, dropTriggers, fullName, loadTriggers, staleTriggers, triggersSql, type TriggerRow } from './load-triggers.ts'

/** Names of functions or triggers: created or replaced ones, and dropped ones. */
interface Changed {
  loaded: string[]
  dropped: string[]
}

/** What a load has changed. */
export interface Loaded {
  functions: Changed
  triggers: Changed
}

/** What a load without a difference has changed. */
export const unchanged: Loaded = { functions: { loaded: [], dropped: [] }, triggers: { loaded: [], dropped: [] } }

/**
 * Loads each function and trigger that differs from the database, and drops what an earlier load has made and the release no longer has.
 * @param execute as the owner, in the transaction of the migrations
 * @throws {Error} for a declared table that does not exist, and for other overloads of a function: a migration must make or drop them
 */
export async function load (execute: Execute, { routines, triggers, version }: Declared): Promise<Loaded> {
  const functions = await execute<RoutineRow>(routinesSql)
  const present = await execute<TriggerRow>(triggersSql)
  refuseMissing(await execute(tablesSql), triggers)
  const [staleOnes, abandonedOnes] = [staleTriggers(triggers, present), abandonedTriggers(triggers, present)]
  const stale = staleRoutines(routines, functions)
  const abandoned = abandonedRoutines(routines, functions)
  const isOfSearch = [...stale, ...abandoned].some(({ name }) => name.startsWith('search.'))
  if (isOfSearch) await execute(membership('grant obra_search to'))
  await loadRoutines(execute, stale)
  await loadTriggers(execute, staleOnes, present)
  await dropTriggers(execute, abandonedOnes)
  await dropRoutines(execute, abandoned)
  if (isOfSearch) await execute(membership('revoke obra_search from'))
  await noteVersion(execute, version)
  return {
    functions: { loaded: stale.map(({ name }) => name), dropped: abandoned.map(({ name }) => name) },
    triggers: { loaded: staleOnes.map(fullName), dropped: abandonedOnes.map(fullName) }
  }
}

const tablesSql = "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"

function refuseMissing (rows: Row[], triggers: readonly DeclaredTrigger[]): void {
  const tables = new Set(rows.map(({ name }) => name))
  const missing = triggers.find(({ table }) => !tables.has(table))
  if (missing === undefined) return
  throw new Error(`the table ${missing.table} does not exist: run \`obra make-migration\` for its declaration first`)
}

/** Notes what this release has loaded. The releases that have loaded theirs since its last load must do so again. */
async function noteVersion (execute: Execute, version: string): Promise<void> {
  const [last] = await execute("select name from mikro_orm_migrations where name like 'routines-%' order by id desc limit 1")
  if (last?.['name'] === version) return
  const first = `select min(id) from mikro_orm_migrations where name = '${version}'`
  await execute(`delete from mikro_orm_migrations where name like 'routines-%' and id >= (${first})`)
  await execute(`insert into mikro_orm_migrations (name) values ('${version}')`)
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
