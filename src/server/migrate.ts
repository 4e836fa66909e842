import { setTimeout as sleep } from 'node:timers/promises'
import { endSessionLock, sessionLock } from '../database/connection/advisory-locks.ts'
import type { Orm } from '../database/connection/orm.ts'
import { unknownIn } from '../database/migrations/index.ts'
import type { Migrator } from '../database/migrations/migrator.ts'
import { olderMessage } from '../database/migrations/older.ts'
import { declaredBy } from '../database/schema/declared.ts'
import type { Loaded } from '../database/schema/load.ts'
import { isLockTimeout, isRetryable, sqlState } from '../database/connection/sql-errors.ts'
import { messageOf } from '../files/errors.ts'

/** Whether to run pending migrations or to refuse to open. */
export type Pending = 'migrate' | 'refuse'

/** Runs pending migrations, or refuses to open. @throws {Error} with their names */
export async function settleMigrations (orm: Orm, pending: Pending): Promise<void> {
  if (pending === 'migrate') {
    await migrate(orm)
    return
  }
  const missing = await pendingMigrations(orm)
  if (missing.length > 0) throw new Error(`${missing.length} migrations have not run (${missing.join(', ')}): run \`obra migrate\` first`)
}

const insufficientPrivilege = '42501'

/** What `migrate` has done. */
interface Migrated extends Loaded {
  /** Names of migrations. */
  migrated: string[]
}

/**
 * The names of the migrations that have not run. After the last one: the version of the functions and triggers, if the
 * database has never loaded them.
 * @throws {Error} if the login cannot read them: the owner has migrated nothing yet, or has not set up this login; for an older database
 */
export async function pendingMigrations (orm: Orm): Promise<string[]> {
  const pending = await readPending(orm)
  const run = await orm.em.execute<Array<{ name: string }>>('select name from mikro_orm_migrations order by id')
  const names = run.map(({ name }) => name)
  const older = olderMessage('the database', names)
  if (older !== undefined) throw new Error(older)
  if (pending.length > 0 || unknownIn(names).length > 0) return pending
  const { version } = declaredBy(orm.getMetadata().getAll().values())
  return names.includes(version) ? [] : [version]
}

async function readPending (orm: Orm): Promise<string[]> {
  try {
    return (await orm.migrator.getPending()).map(({ name }) => name)
  } catch (error) {
    if (sqlState(error) !== insufficientPrivilege) throw error
    const reason = messageOf(error).replace(/^.* - /s, '')
    throw new Error(`the database is not migrated, or not for this login (${reason}): ` +
      'run `obra migrate` as the owner of the tables, with `--login` if another user starts the servers', { cause: error })
  }
}

// Milliseconds. Requests queue behind a migration that waits for a table, so it waits briefly and is retried. Backups hold locks for
// minutes.
const lockTimeout = 200
const retryPause = 500
const longestRetry = 15 * 60_000

/**
 * Runs pending migrations and loads changed functions and triggers, in one transaction. It is retried for up to 15 minutes while other
 * sessions hold locks on its tables.
 * @param onLocked called before the first retry
 * @throws the last error
 */
export async function migrate (orm: Orm, onLocked: () => void = () => {}): Promise<Migrated> {
  // Processes that start together migrate one after the other.
  await orm.em.execute(sessionLock('migrations'))
  try {
    await orm.em.execute(`set lock_timeout = ${lockTimeout}`)
    const deadline = performance.now() + longestRetry
    for (let isFirst = true; ; isFirst = false) {
      const began = performance.now()
      try {
        const migrated = (await orm.migrator.up()).map(({ name }) => name)
        return { migrated, ...(orm.migrator as Migrator).loaded } // the configured extension
      } catch (error) {
        if (!(isLockTimeout(error) || isRetryable(error)) || performance.now() > deadline) throw error
        if (isFirst) onLocked()
        // An attempt can hold locks until it fails, so requests get most of the time.
        await sleep(Math.max(retryPause, 4 * (performance.now() - began)))
      }
    }
  } finally {
    // After a lost connection, its error must not replace the first one.
    await Promise.allSettled([orm.em.execute('set lock_timeout = 0'), orm.em.execute(endSessionLock('migrations'))])
  }
}
