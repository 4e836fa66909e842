import { CompiledQuery } from 'kysely'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Database } from '../database/database.ts'
import { retrying } from '../database/retry.ts'
import { admit, type Row, type Statement } from '../database/sql.ts'
import { lock, type Ask } from '../database/turns.ts'

/** A unit of work on one company's data: MikroORM's entity manager and single asks, in one transaction. */
export interface Work {
  em: EntityManager
  ask: (ask: Ask) => Promise<Row[]>
}

/**
 * Runs a unit of work that sees one company and that no other writer of the company interrupts: it begins by taking the
 * company's lock, so that what it checks stays true until it commits. Run again after a deadlock.
 */
export async function inCompany<T> (database: Database, company: number, work: (work: Work) => Promise<T>): Promise<T> {
  return await inQueue(database, company, [admit([company]), lock([company])], async (em, run) => await work({
    em,
    ask: async ({ shape, company, values }) => await run({ text: shape.text, values: [company, ...values].map(value => [value ?? null]) })
  }))
}

/**
 * Runs a unit of work in a transaction that begins with those statements, the last of which takes a lock. Run again after a deadlock.
 * @param queue whoever has the same one waits for the same lock
 */
export async function inQueue<T> (database: Database, queue: number | string, beginning: Statement[], work: (em: EntityManager, run: (statement: Statement) => Promise<Row[]>) => Promise<T>): Promise<T> {
  return await queued(database, queue, async () => await retrying(async () => {
    const em = database.orm.em.fork()
    // Kysely's own transaction, lent to the entity manager: `em.transactional` keeps a connection that breaks inside it for ever.
    return await em.getKysely().transaction().execute(async (transaction) => {
      em.setTransactionContext(transaction)
      const run = async ({ text, values }: Statement) => (await transaction.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
      for (const statement of beginning) await run(statement)
      return await work(em, run)
    })
  }))
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
