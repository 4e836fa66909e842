import { CompiledQuery } from 'kysely'
import type { EntityManager } from '@mikro-orm/postgresql'
import { commits, unitsOfWork } from '../connection/channels.ts'
import type { ConnectionCheck } from '../connection/connection-check.ts'
import type { Orm } from '../connection/orm.ts'
import { isDataError } from '../connection/sql-errors.ts'
import { admission, lockWaits, retrying } from '../connection/postgres-sql.ts'
import type { Row, Statement } from '../connection/sql.ts'
import { untilUnlocked, type Group, type Shares } from './shares.ts'
import { combined, type BatchRequest, type Turns } from './requests.ts'
import { batch } from './batch.ts'
import { Crowded, maxWaitMs } from './crowded.ts'

/** The parts of the database that units of work use. */
export interface UnitDatabase {
  orm: Orm
  check: ConnectionCheck
  shares: Shares
}

/** Runs a statement in the open transaction. */
export type Run = (statement: Statement) => Promise<Row[]>

/**
 * A unit of work on one company's data, in one transaction: MikroORM's entity manager and the transaction's own turns. A write that fails with a
 * data error (see `isDataError`) does not affect the rest of the transaction.
 */
export interface UnitOfWork extends Turns {
  em: EntityManager
  run: Run
}

/**
 * Runs a unit of work that sees one company. It begins with the company's lock, so no other writer changes what it checks until the commit.
 * It is repeated after a deadlock or a lock timeout.
 * @param options see {@link QueueOptions}
 */
export async function inCompany<T> (database: UnitDatabase, company: number, work: (work: UnitOfWork) => Promise<T>, options: Omit<QueueOptions, 'lock'> = {}): Promise<T> {
  const lock = { text: `select ${admission}, lock_companies($2::int[])`, values: [`{${company}}`, [company]] }
  const result = await inQueue(database, company, async (em, run) => await work({ em, run, ...turnsOf(run) }), { ...options, lock })
  commits.publish([company])
  return result
}

/** How a unit of work begins. */
export interface QueueOptions {
  /** A `select` that takes the lock for which the units of the queue wait. */
  lock: Statement
  /** Runs before the lock. */
  first?: ((run: Run) => Promise<void>) | undefined
  /** End of the wait, by `performance.now()`. Default: {@link maxWaitMs} from now. */
  deadline?: number | undefined
  /** The customer of the company. */
  customer?: Group | undefined
}

/** Time in ms by which a statement can exceed the time limit of its unit of work. */
const overtime = 1000
const timeoutIn = (parameter: number) => `set_config('statement_timeout', $${parameter}, true)`

/**
 * Runs a unit of work in a transaction. It is repeated after a deadlock and, until `deadline`, after a lock timeout.
 * @param queue units of the same queue run one after the other, because they wait for the same lock
 * @throws {Crowded} at `deadline`, or before a statement that would start later than `unitTimeout` after the attempt. A statement that still
 *   runs then is cancelled.
 */
export async function inQueue<T> (database: UnitDatabase, queue: number | string, work: (em: EntityManager, run: Run) => Promise<T>, { lock, first, deadline = performance.now() + maxWaitMs, customer }: QueueOptions): Promise<T> {
  const { shares } = database
  const attempt = async (limit: number, isRetry: boolean) => await unitsOfWork.tracePromise(async () => {
    const em = database.orm.em.fork()
    // Kysely's transaction, used by the entity manager: `em.transactional` never releases a connection that breaks inside it.
    return await em.getKysely().transaction().execute(async (transaction) => {
      em.setTransactionContext(transaction)
      const send: Run = async ({ name, text, values }) => {
        // MikroORM's own `execute` writes the values into the text, and its export of Kysely lacks CompiledQuery.
        // Kysely passes the text to the driver, which prepares a statement if it gets an object with a name.
        const statement = name === undefined ? text : { name, text } as unknown as string
        try {
          return (await transaction.executeQuery<Row>(CompiledQuery.raw(statement, values))).rows
        } catch (error) {
          throw database.check.reportError(error)
        }
      }
      const { unitTimeout } = shares
      let timeout = unitTimeout
      const run: Run = async (statement) => {
        const left = Math.ceil(limit - performance.now())
        if (left <= 0) throw new Crowded('a unit of work takes too long')
        // After an error PostgreSQL runs nothing but the rollback, which also restores the timeout of the savepoint.
        if (statement.text.startsWith('rollback to savepoint')) timeout = unitTimeout
        else if (timeout - left > overtime) await send({ text: `select ${timeoutIn(1)}`, values: [String(timeout = left)] })
        return await send(statement)
      }
      await first?.(send)
      if (isRetry) await send(lockWaits.short)
      await send({ text: `${lock.text}, ${timeoutIn(lock.values.length + 1)}`, values: [...lock.values, String(unitTimeout)] })
      if (isRetry) await send(lockWaits.usual)
      return await work(em, run)
    })
  }, {})
  return await shares.units.run(queue, deadline, async () => await untilUnlocked(shares, queue, deadline, async (isRetry) => {
    const limit = performance.now() + shares.unitTimeout
    return await retrying(async () => await attempt(limit, isRetry))
  }, customer))
}

/** No limits on waiting: requests of a unit wait only for that unit, whose statements have timeouts. */
const ofUnit = { inFlight: 1, maxRequests: Infinity, patienceMs: Infinity, refuseAfterMs: Infinity, requestWaitMs: Infinity } as const

/** The turns of one transaction. They run one at a time, so that none runs inside another's savepoint. */
function turnsOf (run: Run): Turns {
  let last: Promise<unknown> = Promise.resolve()
  const serially = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn
    return await turn
  }
  return {
    read: batch(async (requests: BatchRequest[]) => await serially(async () => await answerAll(run, requests)), { ...ofUnit, name: 'unit read' }),
    write: batch(async (requests: BatchRequest[]) => await serially(async () => await inSavepoint(run, async () => await answerAll(run, requests))), { ...ofUnit, name: 'unit write', isolates: isDataError })
  }
}

/** Answers requests in an open transaction, with one statement per query. */
export async function answerAll (run: Run, requests: BatchRequest[]): Promise<Row[][]> {
  const { statements, assignRows } = combined(requests)
  const results: Row[][] = []
  for (const statement of statements) results.push(await run(statement))
  return assignRows(results)
}

/**
 * Runs a part of a transaction in a savepoint and rolls back only the part if it fails.
 * @param isKept decides by the result whether the writes of the part are kept
 */
export async function inSavepoint<T> (run: Run, part: () => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
  await run({ text: 'savepoint part', values: [] })
  try {
    const result = await part()
    if (!isKept(result)) await run({ text: 'rollback to savepoint part', values: [] })
    return result
  } catch (error) {
    await run({ text: 'rollback to savepoint part', values: [] })
    throw error
  } finally {
    await run({ text: 'release savepoint part', values: [] })
  }
}
