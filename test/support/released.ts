import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { openEmptyDatabase, type EmptyDatabase } from './empty-database.ts'

/** The roles of migrations. They belong to the server, so the SQL of a database creates none. */
const roles = ['obra_app', 'obra_search']

const folder = join(import.meta.dirname, '../system/upgrade/databases')

/** SQL that makes the database of a release, with its demo data, in an empty one. @param release a version in `test/system/upgrade/databases/` */
export function sqlOfRelease (release: string): string {
  const made = roles.map(role => `do $$ begin create role ${role}; exception when duplicate_object then null; end $$;`)
  return [...made, gunzipSync(readFileSync(join(folder, `${release}.sql.gz`))).toString()].join('\n')
}

/** Opens the database of 1.0.0, which migration 58 has left, with its functions and triggers. It is dropped when the test ends. */
export async function openReleased (t: Test): Promise<EmptyDatabase> {
  const database = await openEmptyDatabase(t)
  await database.orm.em.execute(sqlOfRelease('1.0.0'))
  // The SQL of pg_dump sets the search path and other settings of its session.
  await database.orm.em.execute('reset all')
  return database
}
