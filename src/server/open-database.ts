import type { PGlite } from '@electric-sql/pglite'
import * as embedded from '@mikro-orm/pglite'
import { MikroORM } from '@mikro-orm/postgresql'
import mapping from '../../mikro-orm.config.ts'
import type { Config } from '../config.ts'
import { differences } from '../database/connection-check.ts'
import type { Database } from '../database/database.ts'
import { openEmbedded } from '../database/embedded.ts'
import { embeddedSql, postgresSql, type Row, type Sql, tracedSql } from '../database/sql.ts'
import { connectionOptions, serviceCheck, serviceSettings, type Orm, type Purpose } from '../database/orm.ts'
import { divideConnections, loneSql } from '../database/shares.ts'

const { driver: _driver, clientUrl: _clientUrl, ...common } = mapping

/** Opens MikroORM on the embedded database. Its one connection is the owner's until `serviceSettings` are set on it. */
export async function openEmbeddedOrm (pglite: PGlite): Promise<Orm> {
  return await embedded.MikroORM.init({ ...common, driverOptions: { pglite } } as never) as unknown as Orm
}

/** Opens MikroORM on PostgreSQL. @throws {Error} as {@link connectionOptions} */
export async function openPostgresOrm (config: Config, as: Purpose, connections: number, check?: ReturnType<typeof serviceCheck>): Promise<Orm> {
  return await MikroORM.init({ ...common, ...connectionOptions(config.DATABASE_URL as string, as, connections, check) })
}

/** What to do with pending migrations: run them, or refuse to open. */
export type Pending = 'migrate' | 'refuse'

/** Opens the database that the configuration names. @throws {Error} in one line saying what is wrong */
export async function openDatabase (config: Config, pending: Pending, as: 'service' | 'command' = 'service'): Promise<Database> {
  const owned = await openAsOwner(config)
  if (owned.pglite !== undefined) {
    try {
      return await useEmbedded(owned as Required<Owned>, pending)
    } catch (error) {
      await owned.close()
      throw error
    }
  }
  try {
    await settleMigrations(owned.orm, pending)
  } finally {
    await owned.close()
  }
  const check = serviceCheck(as)
  const orm = await openPostgresOrm(config, as, config.DATABASE_POOL, check)
  const pool = await orm.em.getConnection().getNativeClient()
  const close = async () => {
    await orm.close(true)
    // Kysely ends the pool only after statements of its own; the hot ones may have been all there were.
    if (!pool.ending) await pool.end()
  }
  await usable(orm, close)
  return { ...shared('postgres', tracedSql(postgresSql(pool)), config.DATABASE_POOL), orm, pool, check, close }
}

function shared (kind: Database['kind'], sql: Sql, connections: number): Pick<Database, 'kind' | 'sql' | 'lone' | 'shares'> {
  const shares = divideConnections(connections)
  return { kind, sql, lone: loneSql(sql, shares), shares }
}

/** The database as the owner of the tables has it, for migrations and for seeding. */
export interface Owned {
  orm: Orm
  /** The embedded database's own client. */
  pglite?: PGlite
  close: () => Promise<void>
}

/** Opens the database as the owner of its tables; migrations want a single connection. @throws {Error} in one line saying what is wrong */
export async function openAsOwner (config: Config, connections = 1): Promise<Owned> {
  if (config.DATABASE_URL === undefined) {
    const { pglite, close } = await openEmbedded(config.DATA_DIR)
    const orm = await openEmbeddedOrm(pglite)
    return { orm, pglite, close }
  }
  const orm = await openPostgresOrm(config, 'owner', connections)
  const close = async () => await orm.close(true)
  await usable(orm, close)
  return { orm, close }
}

/** @throws {Error} when no statement can be run, having closed the connections */
async function usable (orm: Orm, close: () => Promise<void>): Promise<void> {
  try {
    await orm.em.execute('select 1')
  } catch (error) {
    await close()
    throw new Error(`the database of DATABASE_URL cannot be used: ${reasonOf(error)}`, { cause: error })
  }
}

/** What a driver's error says; a refused connection has its reasons, one an address, inside. */
function reasonOf (error: unknown): string {
  const { message, cause, errors } = error as Error & { errors?: Error[] }
  return message || errors?.map(reasonOf).join(', ') || (cause === undefined ? 'unknown' : reasonOf(cause))
}

/** The service's database on an embedded one that is open. */
export async function useEmbedded ({ orm, pglite, close }: Required<Owned>, pending: Pending): Promise<Database> {
  await settleMigrations(orm, pending)
  for (const [name, value] of Object.entries(serviceSettings)) await pglite.query(`set ${name} = '${value}'`)
  const found = await differences(async (text, values) => (await pglite.query<Row>(text, values)).rows, serviceSettings)
  if (found.length > 0) throw new Error(`the embedded database does not act as the service: ${found.join(', ')}`)
  return {
    ...shared('embedded', tracedSql(embeddedSql(pglite)), 1),
    orm,
    async close () {
      await orm.close(true)
      await close()
    }
  }
}

/** Runs pending migrations, or refuses to open. @throws {Error} with their names */
export async function settleMigrations (orm: Orm, pending: Pending): Promise<void> {
  if (pending === 'migrate') {
    await migrate(orm)
    return
  }
  const missing = await orm.migrator.getPending()
  if (missing.length > 0) throw new Error(`${missing.length} migrations have not run (${missing.map(migration => migration.name).join(', ')}): run \`obra migrate\` first`)
}

const migrationLock = 0x6f627261 // "obra": processes that start together migrate one after the other

/** Runs the migrations that have not run. @returns their names */
export async function migrate (orm: Orm): Promise<string[]> {
  await orm.em.execute('select pg_advisory_lock(?)', [migrationLock])
  try {
    return (await orm.migrator.up()).map(({ name }) => name)
  } finally {
    await orm.em.execute('select pg_advisory_unlock(?)', [migrationLock])
  }
}
