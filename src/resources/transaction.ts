import { CompiledQuery } from 'kysely'
import type { EntityManager } from '@mikro-orm/postgresql'
import { unitsOfWork } from '../channels.ts'
import type { Database } from '../database/database.ts'
import { retrying } from '../database/retry.ts'
import { admit, isDataError, type Row, type Statement } from '../database/sql.ts'
import { lock, together, type Ask, type Turns } from '../database/turns.ts'
import { mostItems } from '../schemas/list.ts'
import { batch } from '../turn.ts'
import type { Asking } from './scope.ts'

/** Runs a statement in a transaction that is open. */
export type Run = (statement: Statement) => Promise<Row[]>

/**
 * A unit of work on one company's data, in one transaction: MikroORM's entity manager, and turns of its own for what is asked. What
 * the data do not admit of a write (see `isDataError`) fails by itself and leaves the transaction as it was.
 */
export interface Work extends Turns {
  em: EntityManager
  run: Run
}

/**
 * Runs a unit of work that sees one company and that no other writer of the company interrupts: it begins by taking the
 * company's lock, so that what it checks stays true until it commits. Run again after a deadlock.
 * @param first what comes before the lock
 */
export async function inCompany<T> (database: Database, company: number, work: (work: Work) => Promise<T>, first?: (run: Run) => Promise<void>): Promise<T> {
  return await inQueue(database, company, async (run) => {
    await run(admit([company]))
    await first?.(run)
    await run(lock([company]))
  }, async (em, run) => await work({ em, run, ...turnsOf(run) }))
}

/** Asks in the name of one company. */
export function asCompany (ask: (ask: Ask) => Promise<Row[]>, company: number): Asking {
  return async (shape, values) => await ask({ shape, company, values })
}

/**
 * Runs a unit of work in a transaction. Run again after a deadlock.
 * @param queue whoever has the same one waits for the same lock
 * @param begin takes that lock
 */
export async function inQueue<T> (database: Database, queue: number | string, begin: (run: Run) => Promise<void>, work: (em: EntityManager, run: Run) => Promise<T>): Promise<T> {
  return await queued(database, queue, async () => await retrying(async () => await unitsOfWork.tracePromise(async () => {
    const em = database.orm.em.fork()
    // Kysely's own transaction, lent to the entity manager: `em.transactional` keeps a connection that breaks inside it for ever.
    return await em.getKysely().transaction().execute(async (transaction) => {
      em.setTransactionContext(transaction)
      const run: Run = async ({ text, values }) => (await transaction.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
      await begin(run)
      return await work(em, run)
    })
  }, {})))
}

/** The turns of one transaction: never two at once, so that none runs inside another's savepoint. */
function turnsOf (run: Run): Turns {
  let last: Promise<unknown> = Promise.resolve()
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn
    return await turn
  }
  const answer = async (asks: Ask[]) => {
    const { statements, deal } = together(asks)
    const results: Row[][] = []
    for (const statement of statements) results.push(await run(statement))
    return deal(results)
  }
  return {
    read: batch(async (asks: Ask[]) => await alone(async () => await answer(asks)), { name: 'unit read', inFlight: 1, most: mostItems, longest: Infinity }),
    write: batch(async (asks: Ask[]) => await alone(async () => await revocable(run, async () => await answer(asks))), { name: 'unit write', inFlight: 1, most: mostItems, longest: Infinity, isolates: isDataError })
  }
}

/** Runs a part of a transaction that may fail without the whole. */
async function revocable<T> (run: Run, part: () => Promise<T>): Promise<T> {
  await run({ text: 'savepoint part', values: [] })
  try {
    return await part()
  } catch (error) {
    await run({ text: 'rollback to savepoint part', values: [] })
    throw error
  } finally {
    await run({ text: 'release savepoint part', values: [] })
  }
}

/** Whether a unit of work of the company is under way, or waiting, in this process. */
export function isBusy (database: Database, company: number): boolean {
  return queues.get(database)?.has(company) === true
}

const queues = new WeakMap<Database, Map<number | string, Promise<unknown>>>()

/** One unit of work a queue at a time in this process: those that would only wait for the lock hold no connection meanwhile. */
async function queued<T> (database: Database, queue: number | string, work: () => Promise<T>): Promise<T> {
  const lasts = queues.get(database) ?? new Map<number | string, Promise<unknown>>()
  queues.set(database, lasts)
  const turn = (lasts.get(queue) ?? Promise.resolve()).then(work, work)
  lasts.set(queue, turn)
  try {
    return await turn
  } finally {
    if (lasts.get(queue) === turn) lasts.delete(queue)
  }
}
