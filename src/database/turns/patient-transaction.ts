import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../connection/orm.ts'

/**
 * Runs a transaction outside requests, which waits up to 10 s for each lock. The login's lock timeout suits requests, which retry. Local to
 * the transaction, because behind a pooler the session may serve another client next.
 */
export async function patientTransaction<T> (orm: Orm, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return await orm.em.fork().transactional(async (em) => {
    await em.execute("set local lock_timeout = '10s'")
    return await work(em)
  })
}
