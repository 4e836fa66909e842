import type { EntityManager } from '@mikro-orm/postgresql'
import { withKeyLock } from '../connection/advisory-locks.ts'
import { commits, unitsOfWork } from '../connection/channels.ts'
import type { Orm } from '../connection/orm.ts'
import { loginSettings } from '../connection/session-settings.ts'
import { admission, lockWaits, retrying, Transaction, type Connections } from '../connection/postgres-sql.ts'
import { isDataError } from '../connection/sql-errors.ts'
import type { Row, Statement } from '../connection/sql.ts'
import { requestSlices, type Pause } from '../../http/slices.ts'
import { batch } from './batch.ts'
import { Crowded, maxWaitMs } from './crowded.ts'
import { combined, type BatchRequest, type Turns } from './batch-requests.ts'
import { untilUnlocked, type Group, type Shares } from './shares.ts'

/** The parts of the database that units of work use. */
export interface UnitDatabase extends Connections {
  orm: Orm
  shares: Shares
}

/** Runs a statement in the open transaction. */
export type Run = <R extends object = Row>(statement: Statement<R>) => Promise<R[]>

/** How a unit of work begins. */
interface UnitOptions {
  /** Number of the lock of an Idempotency-Key, which the unit tries to take before the lock of its queue. */
  keyLock?: number | undefined
  /** Run together with the lock, after it. They must write nothing. */
  reads?: Statement[]
  /** End of the wait, by `performance.now()`. Default: {@link maxWaitMs} from now. */
  deadline?: number | undefined
  /** The customer of the company. */
  customer?: Group | undefined
  /** The user who writes, for triggers (decision 49). */
  user?: number
}

/**
 * Runs a unit of work on one company's data. It begins with the company's lock, so no other writer changes what it checks until the commit.
 * @throws as {@link inQueue}
 */
export async function inCompany<T> (
  database: UnitDatabase, company: number, work: (unit: UnitOfWork) => Promise<T>, options: UnitOptions = {}
): Promise<T> {
  const lock = { name: 'unit', text: `select ${admission}, lock_companies($2::int[])`, values: [`{${company}}`, [company]] }
  const result = await inQueue(database, company, lock, work, options)
  commits.publish([company])
  return result
}

/**
 * Runs a unit of work in a transaction. It is repeated after a deadlock and, until `deadline`, after a lock timeout.
 * @param queue units of the same queue run one after the other, because they wait for the same lock
 * @param lock a `select` that takes the lock
 * @throws {Crowded} at `deadline`, or before a statement that would start later than `unitTimeout` after the attempt. A statement that
 * still runs then is cancelled.
 */
export async function inQueue<T> (
  database: UnitDatabase, queue: number | string, lock: Statement, work: (unit: UnitOfWork) => Promise<T>, options: UnitOptions
): Promise<T> {
  const { shares } = database
  const { keyLock, reads = [], deadline = performance.now() + maxWaitMs, customer, user } = options
  const timedLock = lockInTime(lock, statementTimeout(shares), user, keyLock)
  const attempt = async (endsAt: number, isRetry: boolean) => await unitsOfWork.tracePromise(async () => {
    const locking = isRetry ? [lockWaits.short, timedLock, lockWaits.usual] : [timedLock]
    const { transaction, rows } = await Transaction.begin(database, [...locking, ...reads])
    try {
      const unit = new UnitOfWork(database, transaction, endsAt, rows[locking.indexOf(timedLock)], rows.slice(locking.length))
      const result = await work(unit)
      await transaction.commit(unit.last)
      return result
    } finally {
      await transaction.end()
    }
  }, {})
  return await shares.units.run(queue, deadline, async () => await untilUnlocked(shares, queue, deadline, async (isRetry) => {
    const endsAt = performance.now() + shares.unitTimeout
    return await retrying(async () => await attempt(endsAt, isRetry))
  }, customer))
}

/** Timeout in ms of a statement of a unit at its beginning. */
function statementTimeout ({ unitTimeout }: Shares): number {
  return Math.min(unitTimeout, Number(loginSettings.statement_timeout))
}

/** Takes a lock, and sets the timeout of later statements and the user for triggers. Without the lock of `keyLock`, it does nothing. */
function lockInTime ({ name, text, values }: Statement, timeout: number, user: number | undefined, keyLock: number | undefined): Statement {
  const next = values.length + 1
  const settings = `set_config('statement_timeout', $${next}, true), set_config('app.user', $${next + 1}, true)`
  const timed = { name, text: `${text}, ${settings}`, values: [...values, String(timeout), String(user ?? '')] }
  return keyLock === undefined ? timed : withKeyLock(timed, keyLock)
}

/** Time in ms by which a statement can exceed the time limit of its unit of work. */
const overtime = 1000

/** A transaction on the data of one company, or on accounts, under their lock. */
export class UnitOfWork implements Turns {
  /** Whether it has the lock of its Idempotency-Key. */
  readonly hasKey: boolean
  /** The rows of its first reads. */
  readonly first: Row[][]
  /** Statements that run together with the commit. */
  readonly last: Statement[] = []
  readonly #database: UnitDatabase
  readonly #transaction: Transaction
  readonly #endsAt: number
  #timeout: number
  #em: EntityManager | undefined

  constructor (database: UnitDatabase, transaction: Transaction, endsAt: number, locked: Row[], first: Row[][]) {
    this.#database = database
    this.#transaction = transaction
    this.#endsAt = endsAt
    this.#timeout = statementTimeout(database.shares)
    this.hasKey = locked.length > 0
    this.first = first
  }

  /** Runs a statement. @throws {Crowded} if the time limit of the unit has passed */
  readonly run: Run = async <R extends object>(statement: Statement<R>) => {
    const left = Math.ceil(this.#endsAt - performance.now())
    if (left <= 0) throw new Crowded('a unit of work takes too long', { key: 'tooMuchWork', isGivenUp: true })
    let timeout: Statement | undefined
    // After an error PostgreSQL runs nothing but the rollback, which also restores the timeout of the savepoint.
    if (statement.text.startsWith('rollback to savepoint')) this.#timeout = statementTimeout(this.#database.shares)
    else if (this.#timeout - left > overtime) {
      timeout = { text: "select set_config('statement_timeout', $1, true)", values: [String(this.#timeout = left)] }
    }
    if (timeout === undefined) return (await this.#transaction.send([statement]))[0]
    return (await this.#transaction.send([timeout, statement]))[1]
  }

  readonly read = async (request: BatchRequest): Promise<Row[]> => (await answerAll(this.run, [request]))[0]

  /** Runs a write. After an error of the database, the unit can only end. */
  readonly write = this.read

  /** MikroORM's entity manager in this transaction. */
  get em (): EntityManager {
    this.#em ??= entityManager(this.#database.orm, this.#transaction)
    return this.#em
  }
}

/** Answers requests in an open transaction, with one statement per query, which are sent together. */
export async function answerAll (run: Run, requests: BatchRequest[]): Promise<Row[][]> {
  const { statements, assignRows } = combined(requests)
  return assignRows(await Promise.all(statements.map(run)))
}

/** An entity manager whose statements run in a transaction. MikroORM writes the values into the text. */
function entityManager (orm: Orm, transaction: Transaction): EntityManager {
  const em = orm.em.fork()
  em.setTransactionContext({
    async executeQuery ({ sql }: { sql: string }) {
      const { rows, rowCount } = await transaction.execute(sql)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    }
  })
  return em
}

/** No limits on waiting: requests of a unit wait only for that unit, whose statements have timeouts. */
const ofUnit = { inFlight: 1, maxRequests: Infinity, patienceMs: Infinity, refuseAfterMs: Infinity, requestWaitMs: Infinity } as const
const isolated = { ...ofUnit, isolates: isDataError }

/** Runs a part of a transaction in a savepoint and rolls back only the part if it fails, or if its writes are not to be kept. */
export async function inSavepoint<T> (run: Run, part: () => Promise<{ result: T, isKept: boolean }>): Promise<T> {
  const undo = async () => await Promise.all([run({ text: 'rollback to savepoint part', values: [] }), release()])
  const release = async () => await run({ text: 'release savepoint part', values: [] })
  let done: Awaited<ReturnType<typeof part>>
  try {
    // Sent together. The first statement is the savepoint.
    [, done] = await Promise.all([run({ text: 'savepoint part', values: [] }), part()])
  } catch (error) {
    await undo()
    throw error
  }
  await (done.isKept ? release() : undo())
  return done.result
}

/** A unit of work with turns for many requests at the same time. */
export interface Work extends Turns {
  run: Run
  /** Lets other requests run. */
  pause: Pause
}

/**
 * The work of a caller on many records in one unit of work. Its requests run one at a time, so that none runs inside another's savepoint. A
 * write that fails with a data error (see `isDataError`) does not affect the rest of the transaction.
 * @param caller whose turn the slices count for: a caller, as `callerOf` names it, or a customer
 */
export function workOf (run: Run, caller: string): Work {
  let last: Promise<unknown> = Promise.resolve()
  const serially = async (work: () => Promise<Row[][]>) => {
    const turn = last.then(work, work)
    last = turn
    return await turn
  }
  const answers = async (requests: BatchRequest[]) => await answerAll(run, requests)
  const kept = async (requests: BatchRequest[]) => await inSavepoint(run, async () => ({ result: await answers(requests), isKept: true }))
  return {
    run,
    read: batch(async requests => await serially(async () => await answers(requests)), { ...ofUnit, name: 'unit read' }),
    write: batch(async requests => await serially(async () => await kept(requests)), { ...isolated, name: 'unit write' }),
    pause: requestSlices.begin(caller)
  }
}
