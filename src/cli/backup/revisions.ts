import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Moves every company's revision on to the present time, in milliseconds, in a database that went back to an earlier moment: revisions that
 * were given out after that moment must not come again, with other content, to somebody who remembers them.
 * @param em as the owner of the tables
 * @returns how many companies there are
 */
export async function moveRevisionsOn (em: EntityManager): Promise<number> {
  const moved = await em.execute('update company_revisions set revision = greatest(revision + 1, floor(extract(epoch from clock_timestamp()) * 1000)) returning company_id') as unknown[]
  return moved.length
}
