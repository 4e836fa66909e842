import type { PGlite } from '@electric-sql/pglite'
import { MikroORM } from '@mikro-orm/postgresql'
import mapping from '../../mikro-orm.config.ts'
import type { Config } from '../config.ts'
import { urlsOf } from '../config/formats.ts'
import type { ConnectionCheck } from '../database/connection/connection-check.ts'
import type { Database } from '../database/database.ts'
import { openEmbedded } from '../database/connection/embedded.ts'
import { settleLogins } from '../database/connection/logins.ts'
import {
  connectionOptions, embeddedCheck, embeddedOptions, replicaCheck, replicaPool, serviceCheck, type Orm, type Purpose
} from '../database/connection/orm.ts'
import { Replica } from '../database/replicas/replica.ts'
import { Replicas } from '../database/replicas/replicas.ts'
import { declared } from '../domain/entities/declared.ts'
import { postgresSql, tracedSql } from '../database/connection/postgres-sql.ts'
import { divideConnections, loneSql } from '../database/turns/shares.ts'
import { settleMigrations, type Pending } from './migrate.ts'
import { reasonOf } from './reason-of.ts'

/** A database: the URL of one on PostgreSQL, or the embedded one in this process. */
type DatabaseAddress = string | PGlite

const { clientUrl: _clientUrl, ...common } = mapping

/**
 * Opens MikroORM. The embedded database has one session, so another MikroORM on it ends the session of this one.
 * @param as the session of each connection
 * @throws {Error} as {@link connectionOptions}
 */
export async function openOrm (place: DatabaseAddress, as: Purpose, connections = 1, check = checkFor(place)): Promise<Orm> {
  const options = typeof place === 'string' ? connectionOptions(place, as, connections, check) : embeddedOptions(place, as, check)
  return await MikroORM.init({ ...common, ...options })
}

function checkFor (place: DatabaseAddress): ConnectionCheck {
  return typeof place === 'string' ? serviceCheck() : embeddedCheck()
}

/**
 * Opens the configured database.
 * @param check of connections to PostgreSQL; by default that of the service
 * @throws {Error} with a message of one line
 */
export async function openDatabase (config: Config, pending: Pending, check?: ConnectionCheck): Promise<Database> {
  await using opening = new AsyncDisposableStack()
  const { place, close } = await openPlace(config)
  opening.defer(close)
  await settlePlace(place, pending)
  const database = await openDatabaseAt(place, config.DATABASE_POOL, check)
  opening.defer(database.close)
  const replicas = new Replicas(openReplicas(config), database.sql)
  opening.defer(async () => await replicas.close())
  const opened = opening.move()
  return { ...database, replicas, close: async () => await opened.disposeAsync() }
}

/** Opens the replicas of DATABASE_REPLICAS. Does not wait for them. @throws {Error} for an invalid URL */
function openReplicas ({ DATABASE_REPLICAS: list, DATABASE_POOL: poolSize }: Config): Replica[] {
  const connections = poolSize + 1
  const pools = urlsOf(list).map((url) => {
    const check = replicaCheck()
    return { check, pool: replicaPool(url, connections, check) }
  })
  return pools.map(options => new Replica({ ...options, connections, migration: declared.version }))
}

async function openPlace (config: Config): Promise<{ place: DatabaseAddress, close: () => Promise<void> }> {
  if (config.DATABASE_URL !== undefined) return { place: config.DATABASE_URL, close: async () => {} }
  const { pglite, close } = await openEmbedded(config.DATA_DIR)
  return { place: pglite, close }
}

/** Runs pending migrations as the owner and sets up the login, or refuses pending migrations. @throws {Error} with a message of one line */
export async function settlePlace (place: DatabaseAddress, pending: Pending): Promise<void> {
  // Behind a pooler in transaction mode, the settings of an owner's session would reach other servers.
  const { kind, orm, close } = await openUsable(place, pending === 'migrate' ? 'owner' : 'login')
  try {
    await settleMigrations(orm, pending)
    if (pending === 'migrate' && kind === 'postgres') await settleLogins(orm)
  } finally {
    await close()
  }
}

/** Opens a database that is already migrated. Closing it does not close an embedded one. @throws {Error} with a message of one line */
export async function openDatabaseAt (place: DatabaseAddress, connections: number, check = checkFor(place)): Promise<Database> {
  const { kind, orm, close } = await openUsable(place, 'service', connections, check)
  const pool = await orm.em.getConnection().getNativeClient()
  const sql = tracedSql(postgresSql(pool, error => check.reportError(error)))
  const shares = divideConnections(kind === 'postgres' ? connections : 1)
  return { kind, orm, pool, sql, lone: loneSql(sql, shares), shares, replicas: new Replicas([], sql), check, close }
}

/** The database with the rights of the tables' owner, for migrations and seeding. */
export interface Owned {
  kind: Database['kind']
  orm: Orm
  close: () => Promise<void>
}

/** Opens the database as the owner of its tables. Migrations need a single connection. @throws {Error} with a message of one line */
export async function openAsOwner (config: Config, connections = 1): Promise<Owned> {
  const { place, close } = await openPlace(config)
  try {
    const owned = await openUsable(place, 'owner', connections)
    return { ...owned, close: async () => { await owned.close(); await close() } }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws {Error} if no statement can run. The connections are closed then. */
async function openUsable (place: DatabaseAddress, as: Purpose, connections?: number, check?: ConnectionCheck): Promise<Owned> {
  const orm = await openOrm(place, as, connections, check)
  const close = async () => {
    const pool = await orm.em.getConnection().getNativeClient()
    await orm.close(true)
    // Kysely ends the pool only if it has run a statement.
    if (!pool.ending) await pool.end()
  }
  try {
    await orm.em.execute('select 1')
  } catch (error) {
    await close()
    const name = typeof place === 'string' ? 'the database of DATABASE_URL' : 'the embedded database'
    throw new Error(`${name} cannot be used: ${reasonOf(error)}`, { cause: error })
  }
  return { kind: kindOf(place), orm, close }
}

function kindOf (place: DatabaseAddress): Database['kind'] {
  return typeof place === 'string' ? 'postgres' : 'embedded'
}
