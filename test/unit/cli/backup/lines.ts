import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { openOrm } from '../../../../src/server/open-database.ts'
import type { Orm } from '../../../../src/database/connection/orm.ts'
import { backUp } from '../../../../src/cli/backup/back-up.ts'
import type { Progress } from '../../../../src/cli/progress.ts'
import type { TestDatabase } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'

/** Runs `work` on a test's database as its owner. */
export async function asOwnerOf<T> ({ env, database }: TestDatabase, work: (orm: Orm) => Promise<T>): Promise<T> {
  if (server === undefined) {
    await database.orm.em.execute('set role none')
    return await work(database.orm).finally(async () => await database.orm.em.execute('set role obra_app'))
  }
  const orm = await openOrm(env['DATABASE_URL'], 'owner')
  return await work(orm).finally(async () => await orm.close(true))
}

/** Backs up a database. @returns the lines of the backup */
export async function linesOfBackup (t: Test, orm: Orm, progress?: Progress): Promise<string[]> {
  const path = join(t.testdir(), 'backup')
  const file = await open(path, 'w')
  await backUp(orm, file, progress).finally(async () => await file.close())
  return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}

/** Makes a function that reads the lines from the first one at each call. */
export const each = (lines: string[]) => async function * () { yield * lines }
