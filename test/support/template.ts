import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Test } from 'tap'
import { migrate } from '../../src/server/migrate.ts'
import { openOrm } from '../../src/server/open-database.ts'
import { loadDemo } from '../../src/domain/demo/load.ts'
import { checkpoint } from './checkpoint.ts'

const root = join(import.meta.dirname, '../..')

/** Hash of the files that determine the template, so that a change creates a new one. */
function fingerprint (): string {
  const hash = createHash('sha256')
  for (const file of globSync('{src/{database,domain,resources}/**/*.ts,src/**/*.sql,test/support/template.ts,mikro-orm.config.ts,package-lock.json}', { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

const name = `obra_test_${fingerprint()}`

/** URL of PostgreSQL; undefined if the tests run on the embedded database. */
export const server = process.env['DATABASE_URL']

/** URL of another database of that server. */
export function databaseUrl (database: string): string {
  const url = new URL(server as string)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements on the database of DATABASE_URL, as its user. */
export async function onServer<T> (work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates the server's template database, migrated and with the demo data, unless it exists. Each test database is a copy of it. */
async function ensureTemplate (): Promise<void> {
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(7163)')
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name])
    if (rowCount === 1) return
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name}`)
    const orm = await openOrm(databaseUrl(name), 'owner')
    await migrate(orm)
    await loadDemo(orm)
    await orm.close(true)
    await client.query(`alter database ${name} is_template true`)
  })
}

// Copies are fast if files and shared memory are small: small WAL segments, few buffers, no template databases.
const initDbStartParams = ['--wal-segsize=1']
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/** Initial content of an embedded database: the demo data, or nothing, as `initdb` leaves it. */
export type Start = 'demo' | 'empty'

/** The data folder to copy for an embedded database; created unless it exists. */
async function ensureFolder (start: Start): Promise<string> {
  const folder = join(tmpdir(), `${name}_${start}`)
  if (existsSync(folder)) return folder
  // The rename is atomic, so another process finds a complete folder or none.
  const part = `${folder}.${randomBytes(4).toString('hex')}`
  const pglite = await PGlite.create({ dataDir: part, initDbStartParams })
  if (start === 'demo') {
    const orm = await openOrm(pglite, 'owner')
    await migrate(orm)
    await loadDemo(orm)
    await orm.close(true)
    await pglite.exec("update pg_database set datistemplate = false where datname like 'template_'")
    for (const unused of ['template0', 'template1']) await pglite.exec(`drop database ${unused}`)
  }
  await pglite.close()
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(part, { recursive: true })
  }
  return folder
}

/** Content of a folder by relative path: bytes of a file, undefined for a folder. */
type Files = Map<string, Uint8Array | undefined>

const read = new Map<Start, Promise<Files>>()

/** Reads the data folder, once per process. */
function filesOf (start: Start): Promise<Files> {
  const files = read.get(start) ?? (async (): Promise<Files> => {
    const folder = await ensureFolder(start)
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return new Map(entries
      .map((entry): [string, Uint8Array | undefined] => {
        const path = join(entry.parentPath, entry.name)
        // Not a Buffer: the in-memory file system copies with `slice`, which for a Buffer shares the memory.
        return [relative(folder, path), entry.isDirectory() ? undefined : new Uint8Array(readFileSync(path))]
      })
      .sort(([one], [other]) => one < other ? -1 : 1))
  })()
  read.set(start, files)
  return files
}

/** An in-memory file system that has these files when a database starts on it. `loadDataDir` would read a tar each time. */
class FilledFS extends MemoryFS {
  readonly #files: Files

  constructor (files: Files) {
    super()
    this.#files = files
  }

  override async initialSyncFs (): Promise<void> {
    const { FS } = this.pg?.Module as PGlite['Module']
    FS.mkdirTree('/pglite/data')
    for (const [path, bytes] of this.#files) {
      if (bytes === undefined) FS.mkdir(`/pglite/data/${path}`)
      else FS.writeFile(`/pglite/data/${path}`, bytes)
    }
  }
}

/** Starts an embedded database in memory. */
export async function embeddedCopy (start: Start): Promise<PGlite> {
  return await PGlite.create({ startParams, fs: new FilledFS(await filesOf(start)) })
}

const free: Record<Start, Array<{ pglite: PGlite, rewind: () => boolean }>> = { demo: [], empty: [] }

/** Lends an embedded database in memory to a test. When the test ends, the database returns to its initial state, and the next test gets it. */
export async function lendEmbedded (t: Test, start: Start): Promise<PGlite> {
  const lent = free[start].pop() ?? await startRewindable(start)
  t.teardown(async () => {
    if (lent.rewind()) free[start].push(lent)
    else await lent.pglite.close()
  })
  return lent.pglite
}

async function startRewindable (start: Start) {
  const pglite = await embeddedCopy(start)
  // A library that is loaded later would not fit the restored memory, so load every library that a test uses here.
  await pglite.exec('do $$ begin end $$')
  return { pglite, rewind: checkpoint(pglite) }
}

/** Copies a template to the data folder of an embedded database. */
export async function embeddedFolder (dataDir: string, start: Start = 'demo'): Promise<void> {
  cpSync(await ensureFolder(start), dataDir, { recursive: true })
}

/** Creates a database on the server from the template; the caller drops it. @returns its name */
export async function serverCopy (): Promise<string> {
  await ensureTemplate()
  const copy = `obra_test_${randomBytes(6).toString('hex')}`
  await onServer(async client => await client.query(`create database ${copy} template ${name}`))
  return copy
}

/** Drops a database of the server and ends its connections. */
export async function dropCopy (copy: string): Promise<void> {
  await onServer(async client => await client.query(`drop database if exists ${copy} with (force)`))
}
