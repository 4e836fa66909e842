import type { PGlite } from '@electric-sql/pglite'
import { openEmbeddedOrm, openPostgresOrm, serviceSettings, type Orm } from '../../mikro-orm.config.ts'
import type { Config } from '../config.ts'
import { openEmbedded } from './embedded.ts'
import { embeddedSql } from './embedded-sql.ts'
import { postgresSql } from './postgres-sql.ts'
import type { Sql } from './sql.ts'

/** The database, acting as the service's role: MikroORM for units of work, `sql` for hot statements. */
export interface Database {
  kind: 'postgres' | 'embedded'
  orm: Orm
  sql: Sql
  close: () => Promise<void>
}

/** What to do about migrations that have not run: run them, or refuse to open. */
export type Pending = 'migrate' | 'refuse'

/** Opens the database that the configuration names. @throws {Error} in one line saying what is wrong */
export async function openDatabase (config: Config, pending: Pending): Promise<Database> {
  if (config.DATABASE_URL !== undefined) return await openPostgres(config, pending)
  const embedded = await openEmbedded(config.DATA_DIR)
  return await useEmbedded(embedded.pglite, pending, embedded.close)
}

async function openPostgres (config: Config, pending: Pending): Promise<Database> {
  const owner = await openPostgresOrm(config, 'owner')
  try {
    await settleMigrations(owner, pending)
  } catch (error) {
    throw new Error(`database: ${(error as Error).message}`, { cause: error })
  } finally {
    await owner.close(true)
  }
  const orm = await openPostgresOrm(config, 'service')
  const pool = await orm.em.getConnection().getNativeClient()
  return { kind: 'postgres', orm, sql: postgresSql(pool), close: async () => await orm.close(true) }
}

/** The service's database on an embedded one that is already open; `closed` runs after its end. */
export async function useEmbedded (pglite: PGlite, pending: Pending, closed: () => Promise<void>): Promise<Database> {
  const orm = await openEmbeddedOrm(pglite) as unknown as Orm
  await settleMigrations(orm, pending)
  for (const [name, value] of Object.entries(serviceSettings)) await pglite.query(`set ${name} = '${value}'`)
  return {
    kind: 'embedded',
    orm,
    sql: embeddedSql(pglite),
    async close () {
      await orm.close(true)
      await closed()
    }
  }
}

const migrationLock = 0x6f627261 // "obra": processes that start together migrate one after the other

async function settleMigrations (orm: Orm, pending: Pending): Promise<void> {
  if (pending === 'refuse') {
    const missing = await orm.migrator.getPending()
    if (missing.length > 0) throw new Error(`${missing.length} migrations have not run (${missing.map(migration => migration.name).join(', ')}): run \`obra migrate\` first`)
    return
  }
  await orm.em.execute('select pg_advisory_lock(?)', [migrationLock])
  try {
    await orm.migrator.up()
  } finally {
    await orm.em.execute('select pg_advisory_unlock(?)', [migrationLock])
  }
}
