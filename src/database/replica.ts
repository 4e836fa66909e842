import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { isUnfit, type ConnectionCheck } from './connection-check.ts'
import { divideConnections } from './shares.ts'
import { isBroken, postgresSql, socketOf, tracedSql, type Row } from './sql.ts'
import { isUnavailable, sqlState } from './sql-errors.ts'
import { replicaReadTurn, type BatchRequest } from './turns.ts'

/** Interval and timeout of probes in ms. Together they limit how long a read waits for a replica that is silent. */
const probeInterval = 400
const probeTimeout = 500

/** Pauses in ms before a failed replica is tried again: the first one, and the longest one after doubling. */
const firstPause = 500
const longestPause = 10_000

/** Time in ms for which a company is not read here after the replica had another revision of it. */
const stalePause = 100
const mostStale = 10_000

/** Most positions of the primary's log that a replica behind it remembers. */
const mostPositions = 1000

/** The statement that probes a replica: the position of its log in bytes, null if it is no replica, and whether it has the migration $1. */
export const replicaProbe = `
  select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as position, exists (select from mikro_orm_migrations where name = $1) as is_migrated`

/** What a {@link Replica} needs. */
interface ReplicaOptions {
  /** Host and port. */
  name: string
  pool: Pool
  /** Checks the connections of the pool. */
  check: ConnectionCheck
  /** Connections of the pool, one of them for probes. */
  connections: number
  /** Name of the last migration, without which the replica is not used. */
  migration: string
}

/**
 * A replica of the database, which answers reads at exactly the revision of the request. It is used while probes of it succeed. When it fails,
 * its connections are closed, so that no read waits for it, and it is tried again after growing pauses. Emits `left` and `returned`.
 */
export class Replica extends EventEmitter<{ left: [], returned: [] }> {
  /** Host and port. */
  readonly name: string
  /** Reads by outcome: answered; `stale`, because it had another revision; failed. */
  readonly reads = { answered: 0, stale: 0, failed: 0 }
  readonly #pool: Pool
  readonly #migration: string
  readonly #turn: (request: BatchRequest) => Promise<Row[] | undefined>
  readonly #disconnects = new Set<() => void>()
  // With `max`, the cache would allocate its arrays for all companies at start.
  readonly #stale = new LRUCache<number, true>({ maxSize: mostStale, sizeCalculation: () => 1, ttl: stalePause })
  readonly #closing = new AbortController()
  #isAvailable = false
  #active = 0
  /** Positions of the primary that the replica has not replayed, and when the primary had the last one that it has replayed. */
  #missing: Array<{ position: number, at: number }> = []
  #replayedAt = performance.now()

  constructor ({ name, pool, check, connections, migration }: ReplicaOptions) {
    super()
    this.name = name
    this.#pool = pool
    this.#migration = migration
    this.#turn = replicaReadTurn(tracedSql(postgresSql(pool, error => check.reportError(error))), divideConnections(connections - 1))
    pool.on('error', () => this.#leaveOut())
    pool.on('connect', (client) => {
      const disconnect = () => { socketOf(client).destroy() }
      this.#disconnects.add(disconnect)
      client.on('end', () => this.#disconnects.delete(disconnect))
      // Its queries fail with the error. Without a listener, the event would end the process.
      client.on('error', () => {})
    })
    this.#keepProbing()
  }

  /** Whether the last probe succeeded, and no read has failed since. */
  get isAvailable (): boolean {
    return this.#isAvailable
  }

  /** Number of reads in progress. */
  get active (): number {
    return this.#active
  }

  /** Seconds since the primary was where the replica is now; 0 if the replica has replayed everything. */
  get lag (): number {
    return this.#missing.length === 0 ? 0 : (performance.now() - this.#replayedAt) / 1000
  }

  /** Whether the replica is available and may have the company's revision. */
  mayAnswer (company: number): boolean {
    return this.#isAvailable && !this.#stale.has(company)
  }

  /**
   * Answers a read at the revision of the request.
   * @returns undefined if it has another revision or fails
   * @throws {Crowded}; {Error} for a row of another company
   */
  async read (request: BatchRequest): Promise<Row[] | undefined> {
    this.#active++
    try {
      const rows = await this.#turn(request)
      this.reads[rows === undefined ? 'stale' : 'answered']++
      if (rows === undefined) this.#stale.set(request.company, true)
      return rows
    } catch (error) {
      if (sqlState(error) === undefined && !isUnavailable(error) && !isUnfit(error)) throw error
      this.reads.failed++
      // The other errors concern one statement, such as the end of one that conflicts with recovery (40001).
      if (isBroken(error)) this.#leaveOut()
      return undefined
    } finally {
      this.#active--
    }
  }

  /** Notes the position of the primary's log, in bytes. */
  note (position: number): void {
    if (this.#missing.length < mostPositions) this.#missing.push({ position, at: performance.now() })
  }

  async close (): Promise<void> {
    this.#closing.abort()
    this.#isAvailable = false
    await this.#pool.end()
  }

  async #keepProbing (): Promise<void> {
    const { signal } = this.#closing
    for (let pause = firstPause; !signal.aborted;) {
      const isUsable = await this.#isUsable()
      if (signal.aborted) return
      if (isUsable) pause = firstPause
      else this.#leaveOut()
      if (isUsable && !this.#isAvailable) {
        this.#isAvailable = true
        this.emit('returned')
      }
      await sleep(isUsable ? probeInterval : pause, undefined, { signal, ref: false }).catch(() => {})
      if (!isUsable) pause = Math.min(pause * 2, longestPause)
    }
  }

  /** Whether the replica answers in time and has the last migration. Notes how far it is. */
  async #isUsable (): Promise<boolean> {
    try {
      // The driver's types lack the timeout of a single query.
      const { rows: [row] } = await this.#pool.query<Row>({ text: replicaProbe, values: [this.#migration], query_timeout: probeTimeout } as { text: string })
      // Without a position it is not a standby, for example because it was promoted.
      this.#replayed(row?.['position'] ?? Infinity)
      return row?.['is_migrated'] === true
    } catch {
      return false
    }
  }

  #replayed (position: number): void {
    const next = this.#missing.findIndex(missing => missing.position > position)
    const replayed = this.#missing.splice(0, next === -1 ? Infinity : next)
    this.#replayedAt = replayed.at(-1)?.at ?? this.#replayedAt
  }

  #leaveOut (): void {
    if (this.#isAvailable) this.emit('left')
    this.#isAvailable = false
    for (const disconnect of this.#disconnects) disconnect()
  }
}
