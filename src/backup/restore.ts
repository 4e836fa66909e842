import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../../mikro-orm.config.ts'
import { migrations as known } from '../migrations/index.ts'
import type { Backup, Progress } from './back-up.ts'
import { quoted, type Foot, type Head, type TableHead } from './format.ts'
import { moveRevisionsOn } from './revisions.ts'

/** A file that cannot be restored from, or a database that cannot be restored into. */
export class RestoreError extends Error {}

const rowsAtOnce = 1000

/**
 * Makes an empty database what it was when the backup was made, in one transaction: whatever fails, it is as empty as before. Later
 * migrations run on top. Each company's revision goes on from the present time.
 * @param orm connected as the owner of the tables-to-be, who may create roles
 * @param lines of the backup
 * @throws {RestoreError}
 */
export async function restore (orm: Orm, lines: AsyncIterator<string>, progress: Progress = () => {}): Promise<Backup> {
  const head = headOf(await nextLine(lines))
  await refuseFilled(orm)
  await orm.em.fork().transactional(async (em) => {
    const transaction = em.getTransactionContext()
    await orm.migrator.up({ to: head.migrations.at(-1) as string, transaction })
    const rebuild = await takeDown(em)
    const foot = await load(em, lines, head.rows, progress)
    for (const [sequence, last] of Object.entries(foot.sequences)) await em.execute('select setval(?::regclass, ?)', [quoted(sequence), last])
    await moveRevisionsOn(em)
    for (const statement of rebuild) await em.execute(statement)
    await orm.migrator.up({ transaction })
    await em.execute('analyze')
  })
  return { rows: head.rows, migrations: head.migrations }
}

function headOf (line: string): Head {
  const head = parsed<Head>(line)
  if (head?.obra !== 'backup') throw new RestoreError('this is no backup of Obra')
  const isKnown = head.format === 1 && head.migrations.every((name, index) => known[index]?.name === name)
  if (!isKnown) throw new RestoreError(`the backup was made by a newer Obra (${head.version}): restore it with that one`)
  return head
}

/** @throws {RestoreError} when there is any table but an empty one of migrations, which asking for those that are pending makes */
async function refuseFilled (orm: Orm): Promise<void> {
  const pending = await orm.migrator.getPending()
  const [{ tables }] = await orm.em.execute("select count(*)::int as tables from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and relname <> 'mikro_orm_migrations'") as [{ tables: number }]
  if (tables > 0 || pending.length < known.length) throw new RestoreError('the database is not empty: restore into a new one')
}

/**
 * Takes down what would change rows that come in, or refuse them for those that come later: triggers, policies on the owner, foreign keys.
 * @returns the statements that put all of it back, foreign keys checking every row
 */
async function takeDown (em: EntityManager): Promise<string[]> {
  const tables = await em.execute<Array<{ name: string, forced: boolean }>>(`
    select relname as name, relforcerowsecurity as forced from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  const keys = await em.execute<Array<{ table: string, name: string, definition: string }>>(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype = 'f' and c.relnamespace = 'public'::regnamespace`)
  for (const { table, name } of keys) await em.execute(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of tables) await em.execute(`alter table ${quoted(name)} disable trigger user, no force row level security`)
  return [
    ...keys.map(({ table, name, definition }) => `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`),
    ...tables.map(({ name, forced }) => `alter table ${quoted(name)} enable trigger user${forced ? ', force row level security' : ''}`)
  ]
}

async function load (em: EntityManager, lines: AsyncIterator<string>, total: number, progress: Progress): Promise<Foot> {
  let done = 0
  while (true) {
    const next = parsed<TableHead | Foot>(await nextLine(lines))
    if (next !== undefined && 'sequences' in next) return next
    if (next?.table === undefined) throw new RestoreError('the backup is damaged')
    const table = quoted(next.table)
    const columns = next.columns.map(quoted).join(', ')
    for (let left = next.rows; left > 0; left -= rowsAtOnce) {
      const rows: string[] = []
      while (rows.length < Math.min(left, rowsAtOnce)) rows.push(await nextLine(lines))
      await em.execute(`insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ?::json)`, [`[${rows.join(',')}]`])
      progress(done += rows.length, total)
    }
  }
}

async function nextLine (lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next()
  if (done === true) throw new RestoreError('the backup is not whole: its end is missing')
  return value
}

function parsed<T> (line: string): T | undefined {
  try {
    return JSON.parse(line) as T
  } catch {
    return undefined
  }
}
