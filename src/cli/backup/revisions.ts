import type { EntityManager } from '@mikro-orm/postgresql'

const now = 'floor(extract(epoch from clock_timestamp()) * 1000)'

/**
 * Sets every company's revision and every authority revision to the present time in milliseconds, after a database returned to an earlier
 * moment. Otherwise new writes would reuse later numbers: old ETags would get 304 for other content, and servers would trust old sessions.
 * @param em connected as the owner of the tables
 * @returns the number of companies
 */
export async function moveRevisionsOn (em: EntityManager): Promise<number> {
  const [{ made }] = await em.execute("select to_regclass('authority_revisions') is not null as made") as [{ made: boolean }]
  // An older database has no authority revisions before its next migration.
  if (made) {
    await em.execute(`
      insert into authority_revisions as a (bucket, revision) select bucket, ${now} from generate_series(0, 255) bucket
      on conflict (bucket) do update set revision = greatest(a.revision + 1, excluded.revision)`)
  }
  const moved = await em.execute(`update company_revisions set revision = greatest(revision + 1, ${now}) returning company_id`) as unknown[]
  return moved.length
}
