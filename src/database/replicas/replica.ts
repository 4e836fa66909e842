import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { isUnfit, type ConnectionCheck } from '../connection/connection-check.ts'
import { addressName } from '../connection/orm.ts'
import { ReplicaHealth } from './replica-health.ts'
import { ReplicaLag } from './replica-lag.ts'
import { divideConnections } from '../turns/shares.ts'
import { isUnavailable, sqlState } from '../connection/sql-errors.ts'
import { isBroken, postgresSql, socketOf, tracedSql } from '../connection/postgres-sql.ts'
import type { Row, Sql } from '../connection/sql.ts'
import { Crowded } from '../turns/crowded.ts'
import { replicaReadTurn } from '../turns/read-turn.ts'
import type { BatchRequest } from '../turns/batch-requests.ts'

/** Timeout of probes in ms. With their interval, it limits how long a read waits for a replica that is silent. */
const probeTimeout = 500

/** Time in ms for which a company is not read from this replica after it had another revision of it. */
const stalePause = 100
const maxStale = 10_000

/** SQL of the position of the primary's log in bytes; null on a standby. */
export const primaryProbe = `
  select pg_wal_lsn_diff(case when not pg_is_in_recovery() then pg_current_wal_lsn() end, '0/0')::float8 as position`

/** SQL that probes a replica: the position of its log in bytes, null if it is no replica, and whether $1 is among its migrations. */
export const replicaProbe = `
  select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end, '0/0')::float8 as position,
    exists (select from mikro_orm_migrations where name = $1) as is_migrated`

/** What a {@link Replica} needs. */
interface ReplicaOptions {
  pool: Pool
  /** Checks the connections of the pool. */
  check: ConnectionCheck
  /** Connections of the pool, one of them for probes. */
  connections: number
  /** A name among its migrations, without which the replica is not used. */
  migration: string
}

/**
 * A replica of the database, which answers reads at exactly the revision of the request. When it fails, its connections are closed and the
 * reads in progress end.
 */
export class Replica {
  /** Host and port, or the folder of a socket. */
  readonly name: string
  /** Reads by outcome: answered; `stale`, because it had another revision; failed. */
  readonly reads = { answered: 0, stale: 0, failed: 0 }
  readonly health: ReplicaHealth
  readonly #pool: Pool
  readonly #migration: string
  readonly #turn: (request: BatchRequest) => Promise<Row[] | undefined>
  readonly #disconnects = new Set<() => void>()
  /** Ends of the reads in progress. */
  readonly #ends = new Set<() => void>()
  // With `max`, the cache would allocate its arrays for all companies at start.
  readonly #stale = new LRUCache<number, true>({ maxSize: maxStale, sizeCalculation: () => 1, ttl: stalePause })
  readonly #lag = new ReplicaLag()

  constructor ({ pool, check, connections, migration }: ReplicaOptions) {
    this.name = addressName(pool)
    this.#pool = pool
    this.#migration = migration
    const sql = tracedSql(postgresSql(pool, error => check.reportError(error)))
    this.#turn = replicaReadTurn(this.#whileAvailable(sql), divideConnections(connections - 1))
    pool.on('error', error => this.health.noteFailure(error))
    pool.on('connect', (client) => {
      const disconnect = () => { socketOf(client).destroy() }
      this.#disconnects.add(disconnect)
      client.on('end', () => this.#disconnects.delete(disconnect))
    })
    this.health = new ReplicaHealth(async () => await this.#probe()).on('left', () => this.#disconnect())
  }

  /** Number of reads in progress. */
  get active (): number {
    return this.#ends.size
  }

  /** Seconds since the primary was where the replica is now; 0 if the replica has replayed everything. */
  get lag (): number {
    return this.#lag.seconds
  }

  /** Whether the replica is available and may have the company's revision. */
  mayAnswer (company: number): boolean {
    return this.health.isAvailable && !this.#stale.has(company)
  }

  /**
   * Answers a read at the revision of the request.
   * @returns undefined if it has another revision, fails, or has no connection for the read within a second
   * @throws {Error} for a row of another company
   */
  async read (request: BatchRequest): Promise<Row[] | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const end = () => resolve(undefined)
    this.#ends.add(end)
    try {
      return await Promise.race([this.#answer(request), promise])
    } finally {
      this.#ends.delete(end)
    }
  }

  /** Notes the position of the primary's log, in bytes. */
  notePrimary (position: number): void {
    this.#lag.notePrimary(position)
  }

  /** Ends probes and connections. */
  async close (): Promise<void> {
    this.health.close()
    await this.#pool.end()
  }

  async #answer (request: BatchRequest): Promise<Row[] | undefined> {
    try {
      const rows = await this.#turn(request)
      this.health.noteSuccess()
      this.reads[rows === undefined ? 'stale' : 'answered']++
      if (rows === undefined) this.#stale.set(request.company, true)
      return rows
    } catch (error) {
      if (sqlState(error) === undefined && !isUnavailable(error) && !isUnfit(error) && !(error instanceof Crowded)) throw error
      this.reads.failed++
      // The other errors concern one statement, such as the end of one that conflicts with recovery (40001).
      if (isBroken(error) && !(error instanceof Crowded)) this.health.noteFailure(error)
      return undefined
    }
  }

  /** Refuses transactions of reads that waited when the replica was left out. */
  #whileAvailable (sql: Sql): Sql {
    return {
      ...sql,
      within: async (...transaction) => {
        if (!this.health.isAvailable) throw new Crowded(`the replica ${this.name} is not available`)
        return await sql.within(...transaction)
      }
    }
  }

  /** Notes how far the replica is. @throws {Error} if it cannot be used */
  async #probe (): Promise<void> {
    const query = { text: replicaProbe, values: [this.#migration], query_timeout: probeTimeout }
    const { rows: [row] } = await this.#pool.query<Row>(query)
    const { position, is_migrated: isMigrated } = row
    if (position === null) throw new Error('it is no replica, but a primary')
    this.#lag.noteReplica(position)
    if (isMigrated !== true) throw new Error('it lacks the last migration')
  }

  #disconnect (): void {
    for (const disconnect of this.#disconnects) disconnect()
    for (const end of this.#ends) end()
  }
}
