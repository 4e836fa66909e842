import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../../database/connection/orm.ts'
import { isOurs } from '../../database/schema/ours.ts'
import { entities } from '../../domain/entities/index.ts'
import { migrations as known } from '../../database/migrations/index.ts'
import type { Progress } from '../progress.ts'
import type { Backup } from './back-up.ts'
import { quoted, type Foot, type TableHead } from './format.ts'
import { checkBackup, readBackup, RestoreError } from './read.ts'

export { RestoreError }

/**
 * Restores a backup into an empty database, in one transaction: after a failure the database is still empty. Then runs later migrations.
 * @param orm connected as the future owner of the tables, who may create roles
 * @param read reads the lines of the backup from the start; called once to check them and once to write them
 * @throws {RestoreError}
 */
export async function restore (orm: Orm, read: () => AsyncIterable<string>, progress: Progress = () => {}): Promise<Backup> {
  const { head, sha256 } = await checkBackup(read())
  await refuseFilled(orm)
  await orm.em.fork().transactional(async (em) => {
    const transaction = em.getTransactionContext()
    await orm.migrator.up({ to: head.migrations.at(-1), transaction })
    const rebuild = await takeDown(em)
    await load(em, read(), sha256, progress)
    await forgetOldFiles(em)
    for (const statement of rebuild) await em.execute(statement)
    await orm.migrator.up({ transaction })
    await em.execute('analyze')
  })
  return { rows: head.rows, migrations: head.migrations }
}

/** @throws {RestoreError} unless the database is empty. An empty migrations table is allowed: `getPending` creates it. */
async function refuseFilled (orm: Orm): Promise<void> {
  const pending = await orm.migrator.getPending()
  const [{ tables }] = await orm.em.execute<[{ tables: number }]>(`
    select count(*)::int as tables from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'mikro_orm_migrations'
      and ${isOurs('pg_class', 'pg_class.oid')}`)
  if (tables > 0 || pending.length < known.length) throw new RestoreError('the database is not empty: restore into a new one')
}

/**
 * Disables triggers, forced policies and foreign keys, which would change or refuse restored rows.
 * @returns the statements that restore them; foreign keys then check every row
 */
async function takeDown (em: EntityManager): Promise<string[]> {
  const tables = await em.execute<Array<{ name: string, forced: boolean }>>(`
    select relname as name, relforcerowsecurity as forced from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and ${isOurs('pg_class', 'pg_class.oid')}`)
  const keys = await em.execute<Array<{ table: string, name: string, definition: string }>>(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and ${isOurs('pg_class', 'c.oid')}`)
  for (const { table, name } of keys) await em.execute(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of tables) await em.execute(`alter table ${quoted(name)} disable trigger user, no force row level security`)
  return [
    ...keys.map(({ table, name, definition }) => `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`),
    ...tables.map(({ name, forced }) => `alter table ${quoted(name)} enable trigger user${forced ? ', force row level security' : ''}`)
  ]
}

/** @param sha256 checksum of the checked file: a file that has changed since then is refused */
async function load (em: EntityManager, lines: AsyncIterable<string>, sha256: string, progress: Progress): Promise<void> {
  const { head, parts } = await readBackup(lines)
  const made = await tablesMade(em)
  let done = 0
  for await (const part of parts) {
    if ('foot' in part) {
      if (part.sha256 !== sha256) throw new RestoreError('the backup changed during the restore')
      await setSequences(em, part.foot)
    } else {
      const { table, columns } = matching(part.table, made)
      await em.execute(`
        insert into public.${table} (${columns})
        select ${columns} from json_populate_recordset(null::public.${table}, ?::json)`, [`[${part.rows.join(',')}]`])
      progress(done += part.rows.length, head.rows)
    }
  }
}

/**
 * The folder can lack bytes that no attachment used at the backup. So no new attachment uses them, and the job for files removes them. An
 * upload that ran during the backup may have stored its bytes since, so the job must not take them for abandoned ones.
 */
async function forgetOldFiles (em: EntityManager): Promise<void> {
  const [{ known }] = await em.execute<[{ known: boolean }]>("select to_regclass('public.stored_files') is not null as known")
  if (!known) return
  await em.execute('update public.stored_files set removing = true where unused_since is not null')
  await em.execute('delete from public.uploads')
}

/** Columns by table, except generated ones, after the migrations of the backup. */
async function tablesMade (em: EntityManager): Promise<Map<string, string[]>> {
  const rows = await em.execute<Array<{ table: string, columns: string[] }>>(`
    select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by c.oid, c.relname`)
  const names = new Set(entities.map(({ meta }) => meta.tableName))
  return new Map(rows.filter(({ table }) => names.has(table)).map(({ table, columns }) => [table, columns]))
}

/** The SQL of a table of the backup, with names from the database, never from the file. @throws {RestoreError} if they differ */
function matching (head: TableHead, made: Map<string, string[]>): { table: string, columns: string } {
  const columns = made.get(head.table)
  if (columns === undefined || columns.length !== head.columns.length || !columns.every(column => head.columns.includes(column))) {
    throw new RestoreError(`the backup is damaged: ${JSON.stringify(head.table)} is not a table of its migrations, or its columns differ`)
  }
  return { table: quoted(head.table), columns: columns.map(quoted).join(', ') }
}

/** @throws {RestoreError} for a sequence that belongs to no entity */
async function setSequences (em: EntityManager, { sequences }: Foot): Promise<void> {
  const rows = await em.execute<Array<{ name: string, owner: string }>>(`
    select s.relname::text as name, t.relname::text as owner
    from pg_class s
    join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    join pg_class t on t.oid = d.refobjid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`)
  const names = new Set(entities.map(({ meta }) => meta.tableName))
  const own = new Set(rows.filter(({ owner }) => names.has(owner)).map(({ name }) => name))
  for (const [sequence, last] of Object.entries(sequences)) {
    if (!own.has(sequence)) throw new RestoreError(`the backup is damaged: ${JSON.stringify(sequence)} is not a sequence of its tables`)
    await em.execute('select setval(?::regclass, ?)', [`public.${quoted(sequence)}`, last])
  }
}
