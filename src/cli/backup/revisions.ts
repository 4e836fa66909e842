import type { EntityManager } from '@mikro-orm/postgresql'

/**
 * Sets every company's revision to the present time in milliseconds, after a database returned to an earlier moment. Otherwise new
 * writes would reuse later revision numbers, and old ETags would get 304 for other content.
 * @param em connected as the owner of the tables
 * @returns the number of companies
 */
export async function moveRevisionsOn (em: EntityManager): Promise<number> {
  const moved = await em.execute('update company_revisions set revision = greatest(revision + 1, floor(extract(epoch from clock_timestamp()) * 1000)) returning company_id') as unknown[]
  return moved.length
}
