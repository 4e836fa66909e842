import type { PGlite } from '@electric-sql/pglite'
import type { MikroORM, Options } from '@mikro-orm/postgresql'
import pg, { type ClientBase, type Pool, type PoolConfig } from 'pg'
import { parse } from 'pg-connection-string'
import { limits } from '../../config/limits.ts'
import { ConnectionCheck } from './connection-check.ts'
import { EmbeddedSocket } from './embedded-socket.ts'
import { loginSettings, primarySettings, serviceSettings, startAsOwner } from './session-settings.ts'
import { refuseUnreplicated } from './replication.ts'
import { expectAnswers } from './socket-timeout.ts'
import { closeUnfinished, parsers } from './postgres-sql.ts'
import { messageOf } from '../../files/errors.ts'

/** MikroORM on PostgreSQL or on the embedded database. */
export type Orm = MikroORM

/** Name of the service's connections in `pg_stat_activity`, unless `PGAPPNAME` is set. */
export const applicationName = 'obra'

const { silentMs: answerTimeout, connectMs: connectTimeout } = limits.database
/** A replica that does not answer delays a read at most this long. */
const replicaConnectTimeout = 1000
/** The embedded database has one connection, so a request also waits for the statements of others. */
const embeddedConnectTimeout = 20_000
const checkTimeout = 2000

/**
 * The session of a connection: that of the service, checked; that of the tables' owner; or that of the login as PostgreSQL starts it, which
 * is neither checked nor changed.
 */
export type Purpose = 'service' | 'owner' | 'login'

/** The check of every new connection of the service to the primary. */
export function serviceCheck (): ConnectionCheck {
  return new ConnectionCheck(primarySettings, checkTimeout)
}

/** The check of every new connection to a replica. */
export function replicaCheck (): ConnectionCheck {
  return new ConnectionCheck(loginSettings, checkTimeout)
}

/** The check for the embedded database, which has no timeouts. */
export function embeddedCheck (): ConnectionCheck {
  return new ConnectionCheck(serviceSettings, checkTimeout)
}

/**
 * Options of a pool of connections to PostgreSQL.
 * @param url of `variable`
 * @param start prepares or checks a new connection. The pool closes the connection if this throws.
 * @param variable the variable that contains the URL
 * @throws {Error} for an invalid URL; its message contains neither URL nor password
 */
export function poolOptions (url: string, start: (client: ClientBase) => Promise<unknown>, variable = 'DATABASE_URL') {
  return {
    ...addressOf(url, variable),
    fallback_application_name: applicationName,
    pipeline: true,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    onConnect: start
  }
}

/**
 * Prepares the connections of a pool. Their errors reach the statements, or the next ones.
 * @param closesSilent whether to close silent connections, which suits only short statements
 */
export function preparePool (pool: Pool, closesSilent: boolean): Pool {
  return closeUnfinished(pool).on('error', () => {}).on('connect', client => {
    client.on('error', () => {})
    readValues(client)
    refuseUnreplicated(client)
    if (closesSilent) expectAnswers(client, answerTimeout)
  })
}

/**
 * MikroORM's options for connections to PostgreSQL.
 * @param url DATABASE_URL
 * @throws {Error} as {@link poolOptions}
 */
export function connectionOptions (url: string, as: Purpose, connections: number, check: ConnectionCheck): Options {
  const { host, port, user, password, database, ...driverOptions } = poolOptions(url, async (client) => {
    if (as === 'service') await check.prepare(client)
    if (as === 'owner') await client.query(startAsOwner)
  })
  return {
    host,
    port,
    user,
    password,
    dbName: database,
    pool: { min: 0, max: connections },
    driverOptions: { ...driverOptions, onPoolCreated: (pool: Pool) => preparePool(pool, as === 'service') }
  }
}

/**
 * Opens a pool of connections to a replica, with the service's role.
 * @param url one of DATABASE_REPLICAS
 * @throws {Error} as {@link poolOptions}
 */
export function replicaPool (url: string, connections: number, check: ConnectionCheck): Pool {
  const options = poolOptions(url, async client => await check.prepare(client), 'DATABASE_REPLICAS')
  return preparePool(new pg.Pool({ ...options, connectionTimeoutMillis: replicaConnectTimeout, max: connections }), true)
}

/** Host and port of a pool's server, or the folder of its socket. */
export function addressName ({ options: { host = 'localhost', port } }: Pool): string {
  return host.startsWith('/') ? host : `${host}:${port}`
}

/**
 * MikroORM's options for the embedded database. Its one session outlives connections, so each connection resets it. Statements have no
 * timeouts: each blocks the process until it ends.
 */
export function embeddedOptions (pglite: PGlite, as: Purpose, check: ConnectionCheck): Options {
  const settings = as === 'service' ? serviceSettings : { timezone: 'UTC' }
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
        if (as === 'service') await check.verify(client)
      },
      onPoolCreated: (pool: Pool) => closeUnfinished(pool).on('connect', readValues)
    }
  }
}

function readValues (client: ClientBase): void {
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
}

/** Parts of a URL. MikroORM itself ignores parameters after `?`, such as `sslmode`. */
function addressOf (url: string, variable: string) {
  const { host, port, user, password, database, ssl } = parsed(url, variable)
  return {
    host: host ?? 'localhost',
    port: Number(port || 5432),
    user,
    password,
    database: database as string, // the URL has one
    ssl: ssl as PoolConfig['ssl'] // the form that the driver reads
  }
}

/** @throws {Error} without the URL and the password, which the library's error contains */
function parsed (url: string, variable: string) {
  try {
    return parse(url)
  } catch (error) {
    throw new Error(`${variable} cannot be read: ${messageOf(error)}`)
  }
}
