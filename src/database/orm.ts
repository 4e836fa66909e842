import type { PGlite } from '@electric-sql/pglite'
import type { MikroORM, Options } from '@mikro-orm/postgresql'
import type { ClientBase, Pool, PoolConfig } from 'pg'
import { parse } from 'pg-connection-string'
import { ConnectionCheck, type SessionSettings } from './connection-check.ts'
import { EmbeddedSocket } from './embedded-socket.ts'
import { refuseUnreplicated } from './replication.ts'
import { expectAnswers } from './socket-timeout.ts'
import { parsers } from './sql.ts'

/** MikroORM on PostgreSQL or on the embedded database. */
export type Orm = MikroORM

/**
 * Settings of every connection of the service. The role neither owns tables nor bypasses policies. Generic plans keep PostgreSQL from
 * planning named statements again for each execution.
 */
export const serviceSettings = {
  role: 'obra_app',
  row_security: 'on',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  timezone: 'UTC'
}

// Milliseconds. A lost host or a forgotten lock must not block others forever. A request that loses its connection waits for another at
// most twice.
const limits = { statement_timeout: 15_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 60_000 }
/** In a server, a statement frees its connection soon after a lock timeout, and the write is retried. */
const serverLimits = { ...limits, lock_timeout: 100 }
const answerTimeout = 20_000
const connectTimeout = 5000
/** The embedded database has one connection, so a request also waits for the statements of others. */
const embeddedConnectTimeout = 20_000
const checkTimeout = 2000

/** The user of a connection: the server, a command with the service's role, or a command as the owner of the tables. */
export type Purpose = 'service' | 'command' | 'owner'

function settingsOf (as: Purpose): SessionSettings {
  return as === 'owner' ? { timezone: 'UTC' } : { ...serviceSettings, ...as === 'service' ? serverLimits : limits }
}

/** The check of every new connection of the service. */
export function serviceCheck (as: Purpose = 'service'): ConnectionCheck {
  return new ConnectionCheck(settingsOf(as), checkTimeout)
}

/** The check for the embedded database, which has no timeouts. */
export function embeddedCheck (): ConnectionCheck {
  return new ConnectionCheck(serviceSettings, checkTimeout)
}

/**
 * MikroORM's options for connections to PostgreSQL.
 * @param url DATABASE_URL
 * @param as the service's role or, for migrations, the user of the URL, who owns the tables
 * @throws {Error} for an invalid URL; its message contains neither URL nor password
 */
export function connectionOptions (url: string, as: Purpose, connections: number, check: ConnectionCheck): Options {
  const { ssl, ...address } = addressOf(url)
  return {
    ...address,
    pool: { min: 0, max: connections },
    driverOptions: {
      pipeline: true,
      connectionTimeoutMillis: connectTimeout,
      // Only startup options set role and timeouts. A pooler that drops them would disable row-level security without an error.
      onConnect: as === 'owner' ? undefined : async (client: ClientBase) => await check.admit(client),
      keepAlive: true,
      ssl,
      onPoolCreated: (pool: Pool) => closeUnfinished(pool).on('connect', client => {
        readValues(client)
        refuseUnreplicated(client)
        if (as !== 'owner') expectAnswers(client, answerTimeout)
      }),
      options: Object.entries(settingsOf(as)).map(([name, value]) => `-c ${name}=${value}`).join(' ')
    }
  }
}

/**
 * MikroORM's options for the embedded database. Its one session outlives connections, so each connection resets it. Statements have no
 * timeouts: each blocks the process until it ends.
 */
export function embeddedOptions (pglite: PGlite, as: Purpose, check: ConnectionCheck): Options {
  const settings = as === 'owner' ? { timezone: 'UTC' } : serviceSettings
  const start = ['rollback', 'discard all', ...Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`)]
  return {
    dbName: 'postgres',
    user: 'postgres',
    pool: { min: 0, max: 1, idleTimeoutMillis: 0 },
    driverOptions: {
      pipeline: true,
      connectionTimeoutMillis: embeddedConnectTimeout,
      stream: () => new EmbeddedSocket(pglite),
      async onConnect (client: ClientBase) {
        for (const statement of start) await client.query(statement)
        if (as !== 'owner') await check.admit(client)
      },
      onPoolCreated: (pool: Pool) => closeUnfinished(pool).on('connect', readValues)
    }
  }
}

/**
 * Closes each connection that is returned inside a transaction, because the next transaction on it would fail. A statement timeout can
 * cancel even the commit or the rollback.
 */
function closeUnfinished (pool: Pool): Pool {
  return pool.on('release', (_error, client) => {
    const status = (client as unknown as { getTransactionStatus: () => string | null }).getTransactionStatus()
    if (status === 'T' || status === 'E') client.end()
  })
}

function readValues (client: ClientBase): void {
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
}

/** Parts of a URL by MikroORM's names. MikroORM itself ignores parameters after `?`, such as `sslmode`. */
function addressOf (url: string) {
  const { host, port, user, password, database, ssl } = parsed(url)
  return {
    host: host ?? 'localhost',
    port: Number(port || 5432),
    user,
    password,
    dbName: database as string,
    ssl: ssl as PoolConfig['ssl']
  }
}

/** @throws {Error} without the URL and the password, which the library's error contains */
function parsed (url: string) {
  try {
    return parse(url)
  } catch (error) {
    throw new Error(`DATABASE_URL cannot be read: ${(error as Error).message}`)
  }
}
