import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { IsolationLevel } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../../database/connection/orm.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { olderMessage } from '../../database/migrations/older.ts'
import { isLoad } from '../../database/schema/declared.ts'
import { entities } from '../../domain/entities/index.ts'
import type { Progress } from '../progress.ts'
import { quoted, type Foot, type Head, type Seal, type TableHead } from './format.ts'

/** The size of a backup. */
export interface Backup {
  rows: number
  migrations: string[]
}

const rowsAtOnce = 2000

/**
 * Writes all rows of one snapshot to a compressed file of JSON lines. The file has the names of the migrations, which make the tables,
 * roles and policies.
 * @param orm connected as the owner of the tables
 * @throws {Error} if no migration has run
 */
export async function backUp (orm: Orm, file: FileHandle, progress: Progress = () => {}): Promise<Backup> {
  return await orm.em.fork().transactional(async (em) => {
    const migrations = await executed(em)
    // 0 has the entries in the history of accounts that belong to no company.
    await em.execute("select set_config('app.companies', (select array_prepend(0, array_agg(id))::text from companies), true)")
    const tables = await tableHeads(em)
    const rows = tables.reduce((sum, { rows }) => sum + rows, 0)
    const head: Head = { obra: 'backup', format: 2, version: manifest.version, created_at: new Date().toISOString(), migrations, rows }
    await pipeline(sealed(lines(em, head, tables, progress)), createGzip(), async pieces => await file.writeFile(pieces))
    return { rows, migrations }
  }, { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true })
}

async function executed (em: EntityManager): Promise<string[]> {
  const [{ made }] = await em.execute<[{ made: boolean }]>("select to_regclass('mikro_orm_migrations') is not null as made")
  const rows = made ? await em.execute<Array<{ name: string }>>('select name from mikro_orm_migrations order by id') : []
  if (rows.length === 0) throw new Error('the database is empty: no migration has run; run `obra migrate` first')
  const names = rows.map(({ name }) => name)
  const older = olderMessage('the database', names)
  if (older !== undefined) throw new Error(older)
  return names.filter(name => !isLoad(name))
}

/** The tables of the migrations that have run, with their columns except generated ones. */
async function tableHeads (em: EntityManager): Promise<TableHead[]> {
  const heads: TableHead[] = []
  for (const { meta: { tableName: table } } of entities) {
    const columns = await em.execute<Array<{ name: string }>>(`
      select attname as name from pg_attribute
      where attrelid = to_regclass(?) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`, [table])
    if (columns.length === 0) continue
    const [{ rows }] = await em.execute<[{ rows: number }]>(`select count(*) as rows from ${quoted(table)}`)
    heads.push({ table, columns: columns.map(({ name }) => name), rows: Number(rows) })
  }
  return heads
}

/** Appends the checksum to the lines. */
async function * sealed (lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    hash.update(line)
    yield line
  }
  const seal: Seal = { sha256: hash.digest('hex') }
  yield `${JSON.stringify(seal)}\n`
}

async function * lines (em: EntityManager, head: Head, tables: TableHead[], progress: Progress): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`
  let done = 0
  for (const table of tables) {
    yield `${JSON.stringify(table)}\n`
    const columns = table.columns.map(quoted).join(', ')
    await em.execute(`
      declare kept cursor for select row_to_json(r)::text as line from (select ${columns} from ${quoted(table.table)}) r`)
    while (true) {
      const rows = await em.execute<Array<{ line: string }>>(`fetch ${rowsAtOnce} from kept`)
      if (rows.length === 0) break
      yield rows.map(({ line }) => `${line}\n`).join('')
      progress(done += rows.length, head.rows)
    }
    await em.execute('close kept')
  }
  // Sequences ignore transactions. Read last, they are ahead of all rows.
  const numbers = await em.execute<Array<{ name: string, last: number }>>(`
    select sequencename as name, last_value as last from pg_sequences
    where schemaname = 'public' and last_value is not null and sequencename <> 'mikro_orm_migrations_id_seq' order by 1`)
  const foot: Foot = { sequences: Object.fromEntries(numbers.map(({ name, last }) => [name, Number(last)])) }
  yield `${JSON.stringify(foot)}\n`
}
