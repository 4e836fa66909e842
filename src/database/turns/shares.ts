import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { limits } from '../../config/limits.ts'
import { Semaphore } from './semaphore.ts'
import { Crowded, maxWaitMs } from './crowded.ts'
import { isLockTimeout } from '../connection/sql-errors.ts'
import { lockPause, retrying } from '../connection/postgres-sql.ts'
import type { Sql } from '../connection/sql.ts'

/** A company's id, or the name of another queue. */
export type Holder = number | string

/** A customer: the companies of one share connections. */
export type Group = `customer ${number}`

/** The group of a customer's work. */
export function groupOf (customer: number): Group {
  return `customer ${customer}`
}

/** Divides the connections by kind of work, so that neither slow work nor one company or customer takes all of them (decision 24). */
export interface Shares {
  /** For reads that can be slow: lists without a prepared statement, trees, ancestors, accounts. */
  slowReads: Semaphore<Holder>
  /** Whether one read can hold a connection of `slowReads` for seconds, because there is another one. */
  holdsSnapshots: boolean
  /** For units of work, writes to accounts, and writes to companies that another session has locked. One per company. */
  slowWrites: Semaphore<Holder>
  /** How many of these can retry after a lock timeout, so that retries do not delay first attempts. */
  retries: Semaphore<Holder>
  /**
   * Holders whose last attempt ended with a lock timeout, with its time by `performance.now()`. Their next attempt is a retry, also that of
   * another request.
   */
  locked: LRUCache<Holder, number>
  /** Serializes the units of work of a company. They wait without a connection. */
  units: Semaphore<Holder>
  /** For single statements outside turns: log-ins, tokens, `me/`. */
  lone: Semaphore<Holder>
  /**
   * Time in ms after which a unit of work starts no further statement. It is far from what the largest request takes, because a busy
   * machine is not the fault of the request: the numbers of its items and of its trial writes limit what it costs.
   */
  unitTimeout: number
}

/** Pool size from which one company cannot take all connections of `slowReads` or `slowWrites`. */
export const isolatingPool = 7

/**
 * Divides connections into shares. The rest is for the state turn and the common turns: at least one, two of 5 or more, three of 8 or more.
 * @param connections 4 or more. The one connection of the embedded database gets the shares of 4 and runs statements one by one.
 */
export function divideConnections (connections: number): Shares {
  const half = (share: number) => Math.ceil(share / 2)
  const share = (tenths: number, twoFrom: number) => Math.max(connections >= twoFrom ? 2 : 1, Math.floor(connections * tenths / 10))
  const [slowReads, slowWrites, lone] = [share(3, 6), share(2, isolatingPool), share(2, 9)]
  return {
    slowReads: new Semaphore({ name: 'slow reads', size: slowReads, perKey: half(slowReads), perGroup: half(slowReads) }),
    holdsSnapshots: slowReads > 1,
    slowWrites: new Semaphore({ name: 'writes', size: slowWrites, perKey: 1, perGroup: half(slowWrites) }),
    retries: new Semaphore({ name: 'locked writes', size: Math.max(1, slowWrites - 1), perKey: 1, perGroup: half(slowWrites) }),
    locked: new LRUCache({ max: 1000 }),
    units: new Semaphore({ name: 'units of work', size: Infinity, perKey: 1, key: 'otherWrites' }),
    lone: new Semaphore({ name: 'statements', size: lone, perKey: lone }),
    unitTimeout: limits.database.unitMs
  }
}

/**
 * Runs one attempt of a write on a connection for slow writes. After a lock timeout of the holder it pauses first, without a connection.
 * @param deadline end of the wait for a connection, by `performance.now()`
 * @param attempt notes its result in `locked`, see {@link noteLock}. A retry waits for the lock only for a short time.
 * @throws {Crowded} at `deadline`; errors of `attempt`
 */
export async function attemptSlowWrite<T> (
  { slowWrites, retries, locked }: Shares, holder: Holder, deadline: number, attempt: (isRetry: boolean) => Promise<T>, group?: Group
): Promise<T> {
  const since = locked.get(holder)
  const write = async () => await slowWrites.run(holder, deadline, async () => await attempt(since !== undefined), group)
  if (since === undefined) return await write()
  await sleep(Math.max(0, since + lockPause - performance.now()))
  return await retries.run(holder, deadline, write, group)
}

/** Notes after a failed attempt whether another session has the holder's lock. After a success, delete the holder from `locked`. */
export function noteLock ({ locked }: Shares, holder: Holder, error: unknown): void {
  if (isLockTimeout(error)) locked.set(holder, performance.now())
  else locked.delete(holder)
}

/**
 * Runs a write on a connection for slow writes and retries it after a lock timeout. Between attempts it holds no connection.
 * @param deadline time of the last retry, by `performance.now()`
 * @throws {Crowded} if another session still holds the lock at `deadline`; other errors of `attempt`
 */
export async function untilUnlocked<T> (
  shares: Shares, holder: Holder, deadline: number, attempt: (isRetry: boolean) => Promise<T>, group?: Group
): Promise<T> {
  while (true) {
    try {
      const result = await attemptSlowWrite(shares, holder, deadline, attempt, group)
      shares.locked.delete(holder)
      return result
    } catch (error) {
      if (!(error instanceof Crowded)) noteLock(shares, holder, error)
      if (!isLockTimeout(error)) throw error
      if (performance.now() + lockPause > deadline) throw stillLocked(error)
    }
  }
}

/**
 * Runs single statements on the connections of {@link Shares.lone}. After a lock timeout the connection is free during the pause.
 * @returns functions that throw {@link Crowded} if another session holds the lock for {@link maxWaitMs}
 */
export function loneSql (sql: Sql, { lone }: Shares): Sql {
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const deadline = performance.now() + maxWaitMs
    try {
      return await retrying(async () => await lone.run('lone', deadline, work), deadline)
    } catch (error) {
      throw isLockTimeout(error) ? stillLocked(error) : error
    }
  }
  return {
    query: async statement => await run(async () => await sql.query(statement)),
    within: async (...transaction) => await run(async () => await sql.within(...transaction))
  }
}

function stillLocked (cause: unknown): Crowded {
  return new Crowded('another session holds a lock', { cause, key: 'otherWrites' })
}
