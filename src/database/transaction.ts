import { CompiledQuery } from 'kysely'
import type { EntityManager } from '@mikro-orm/postgresql'
import { commits, unitsOfWork } from './channels.ts'
import type { Database } from './database.ts'
import { isDataError } from './sql-errors.ts'
import { admission, retrying, type Row, type Statement } from './sql.ts'
import { untilUnlocked } from './shares.ts'
import { combined, type BatchRequest, type Turns } from './turns.ts'
import { batch, Crowded, longestWait } from './turn.ts'

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
 * @param first runs before the lock
 * @param deadline end of the wait, by `performance.now()`. Default: {@link longestWait} from now.
 */
export async function inCompany<T> (database: Database, company: number, work: (work: UnitOfWork) => Promise<T>, first?: (run: Run) => Promise<void>, deadline?: number): Promise<T> {
  const result = await inQueue(database, company, async (run) => {
    await first?.(run)
    await run({ text: `select ${admission}, lock_companies($2::int[])`, values: [`{${company}}`, [company]] })
  }, async (em, run) => await work({ em, run, ...turnsOf(run) }), deadline)
  commits.publish([company])
  return result
}

/**
 * Runs a unit of work in a transaction. It is repeated after a deadlock and, until `deadline`, after a lock timeout.
 * @param queue units of the same queue run one after the other, because they wait for the same lock
 * @param begin takes that lock
 * @param deadline end of the wait, by `performance.now()`
 * @throws {Crowded} at `deadline`, or before a statement that would start later than `unitTimeout` after the first
 */
export async function inQueue<T> (database: Database, queue: number | string, begin: (run: Run) => Promise<void>, work: (em: EntityManager, run: Run) => Promise<T>, deadline = performance.now() + longestWait): Promise<T> {
  const { shares } = database
  let end: number | undefined
  const attempt = async () => await retrying(async () => await unitsOfWork.tracePromise(async () => {
    const em = database.orm.em.fork()
    const limit = end ??= performance.now() + shares.unitTimeout
    // Kysely's transaction, used by the entity manager: `em.transactional` never releases a connection that breaks inside it.
    return await em.getKysely().transaction().execute(async (transaction) => {
      em.setTransactionContext(transaction)
      const run: Run = async ({ name, text, values }) => {
        if (performance.now() > limit) throw new Crowded('a unit of work takes too long')
        // MikroORM's own `execute` writes the values into the text, and its export of Kysely lacks CompiledQuery.
        // Kysely passes the text to the driver, which prepares a statement if it gets an object with a name.
        const statement = name === undefined ? text : { name, text } as unknown as string
        try {
          return (await transaction.executeQuery<Row>(CompiledQuery.raw(statement, values))).rows
        } catch (error) {
          throw database.check.reportError(error)
        }
      }
      await begin(run)
      return await work(em, run)
    })
  }, {}))
  return await shares.units.run(queue, deadline, async () => await untilUnlocked(shares, queue, deadline, attempt))
}

/** No limits on waiting: requests of a unit wait only for that unit, whose statements have timeouts. */
const ofUnit = { inFlight: 1, most: Infinity, patience: Infinity, longest: Infinity, bound: Infinity } as const

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
  const { statements, deal } = combined(requests)
  const results: Row[][] = []
  for (const statement of statements) results.push(await run(statement))
  return deal(results)
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
