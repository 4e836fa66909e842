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
  return await retrying(async () => {
    const em = database.orm.em.fork()
    // Kysely's own transaction, lent to the entity manager: `em.transactional` keeps a connection that breaks inside it for ever.
    return await em.getKysely().transaction().execute(async (transaction) => {
      em.setTransactionContext(transaction)
      const run = async ({ text, values }: Statement) => (await transaction.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
      await run(admit([company]))
      await run(lock([company]))
      return await work({
        em,
        ask: async ({ shape, company, values }) => await run({ text: shape.text, values: [company, ...values].map(value => [value ?? null]) })
      })
    })
  })
}
