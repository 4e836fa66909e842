import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { Test } from 'tap'
import type { Row } from '../../src/database/connection/sql.ts'
import { superuserOptions } from './trial/superuser.ts'

/** Opens a superuser's session of its own on a test's database. It ends with the test. @param further startup options */
export async function openSession (t: Test, env: Record<string, string>, further = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'], options: `${superuserOptions} ${further}` })
  await client.connect()
  t.teardown(async () => await client.end())
  return client
}

/** Waits until another session of the database waits for a lock. */
export async function lockWait (psql: (text: string) => Promise<Row[]>): Promise<void> {
  while ((await psql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length === 0) await nextTurn()
}
