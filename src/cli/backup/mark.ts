import type { Orm } from '../../database/connection/orm.ts'

/**
 * Stores that a backup is complete, for `obra doctor` and for alerts. The backup itself has the row of the backup before.
 * @returns false on a database of an earlier release, which has no table for the time
 */
export async function markBackup (orm: Orm, rows: number, bytes: number): Promise<boolean> {
  const em = orm.em.fork()
  const [{ there }] = await em.execute<[{ there: boolean }]>("select to_regclass('public.last_backup') is not null as there")
  if (!there) return false
  await em.execute(`
    insert into last_backup (ended_at, rows, bytes) values (clock_timestamp(), ?, ?)
    on conflict (only_row) do update set ended_at = excluded.ended_at, rows = excluded.rows, bytes = excluded.bytes`, [rows, bytes])
  return true
}
