import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { openPostgresOrm, openEmbeddedOrm } from '../mikro-orm.config.ts'
import { loadConfig } from '../src/config.ts'
import { migrate } from '../src/database/database.ts'
import { parsers } from '../src/database/sql.ts'
import { loadDemo } from '../src/demo/load.ts'

const root = join(import.meta.dirname, '..')

/** What the template is made from: it is made anew when that changes. */
function fingerprint (): string {
  const hash = createHash('sha256')
  for (const file of globSync('{src/{migrations,entities,demo}/*.ts,test/template.ts,mikro-orm.config.ts,package-lock.json}', { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

const name = `obra_test_${fingerprint()}`

/** PostgreSQL's address, when the suite runs against one. */
export const server = process.env['DATABASE_URL']

/** The address of another database of that server. */
export function databaseUrl (database: string): string {
  const url = new URL(server as string)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements on the server's own database, as its user. */
export async function onServer<T> (work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Makes the migrated template with the demo data, unless it is there; a new database costs a copy of it. */
export async function ensureTemplate (): Promise<void> {
  if (server === undefined) return await ensureEmbeddedTemplate()
  await onServer(async (client) => {
    await client.query('select pg_advisory_lock(7163)')
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [name])
    if (rowCount === 1) return
    await client.query(`drop database if exists ${name}`)
    await client.query(`create database ${name}`)
    const orm = await openPostgresOrm(loadConfig({ DATABASE_URL: databaseUrl(name) }), 'owner', 1)
    await migrate(orm)
    await loadDemo(orm)
    await orm.close(true)
    await client.query(`alter database ${name} is_template true`)
  })
}

const dump = join(tmpdir(), `${name}.tar`)

// A copy costs what its files and its shared memory are large: small segments of the log, no databases to copy from, few buffers.
const initDbStartParams = ['--wal-segsize=1']
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

async function ensureEmbeddedTemplate (): Promise<void> {
  if (existsSync(dump)) return
  const pglite = await PGlite.create({ parsers, initDbStartParams })
  const orm = await openEmbeddedOrm(pglite)
  await migrate(orm)
  await loadDemo(orm)
  await pglite.exec("update pg_database set datistemplate = false where datname like 'template_'")
  for (const unused of ['template0', 'template1']) await pglite.exec(`drop database ${unused}`)
  const blob = await pglite.dumpDataDir('none')
  await orm.close(true)
  await pglite.close()
  // Renamed when whole: another process finds all of it or nothing.
  const part = `${dump}.${randomBytes(4).toString('hex')}`
  writeFileSync(part, Buffer.from(await blob.arrayBuffer()))
  renameSync(part, dump)
}

/** A database in memory, made from the template. */
export async function embeddedCopy (): Promise<PGlite> {
  await ensureTemplate()
  return await PGlite.create({ parsers, startParams, loadDataDir: new Blob([readFileSync(dump)]) })
}

/** Lays the template out as the folder of an embedded database. */
export async function embeddedFolder (dataDir: string): Promise<void> {
  await ensureTemplate()
  const pglite = await PGlite.create({ dataDir, loadDataDir: new Blob([readFileSync(dump)]) })
  await pglite.close()
}

/** A database on the server, made from the template; the caller drops it. @returns its name */
export async function serverCopy (): Promise<string> {
  await ensureTemplate()
  const copy = `obra_test_${randomBytes(6).toString('hex')}`
  await onServer(async client => await client.query(`create database ${copy} template ${name}`))
  return copy
}

/** Drops a database of the server, with whoever is still connected. */
export async function dropCopy (copy: string): Promise<void> {
  await onServer(async client => await client.query(`drop database if exists ${copy} with (force)`))
}
