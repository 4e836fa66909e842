import type { TestDatabase } from './helper.ts'

/**
 * Counts the blocks of tables and indexes that the service visits.
 * @returns a function that returns the blocks visited since its last call
 */
export function visits ({ database, psql }: TestDatabase): () => Promise<number> {
  let before = 0
  return async () => {
    // Each session reports its numbers by itself, now and then.
    const pool = await database.orm.em.getConnection().getNativeClient()
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, async () => await pool.connect()))
    for (const client of clients) await client.query('select pg_stat_force_next_flush()')
    for (const client of clients) client.release()
    // Otherwise it would count what the test itself has written before.
    await psql('select pg_stat_force_next_flush()')
    const [row] = await psql(`
      select (sum(heap_blks_hit + heap_blks_read) + sum(coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)))::bigint as blocks
      from pg_statio_user_tables where schemaname = 'public'`) as [{ blocks: number }]
    const visited = row.blocks - before
    before = row.blocks
    return visited
  }
}

/** Leaves the tables without statistics, as if each had been empty when it was analyzed, and turns autovacuum off. */
export async function forgetStatistics (psql: TestDatabase['psql']): Promise<void> {
  await psql(`
    do $$
    declare place regclass;
    begin
      for place in select c.oid from pg_class c where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'search'::regnamespace) loop
        execute format('alter table %s set (autovacuum_enabled = off)', place);
        delete from pg_statistic where starelid = place;
        update pg_class set reltuples = 0, relpages = 0 where oid = place;
      end loop;
    end $$`)
}
