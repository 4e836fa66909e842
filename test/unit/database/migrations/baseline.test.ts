import t from 'tap'
import { judgeMigrations } from '../../../../src/cli/doctor/database.ts'
import { restore } from '../../../../src/cli/backup/restore.ts'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { migrate, pendingMigrations, settleMigrations } from '../../../../src/server/migrate.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { openReleased } from '../../../support/released.ts'
import { each, linesOfBackup } from '../../cli/backup/lines.ts'

const names = migrations.map(({ name }) => name)
const replaced = ['1-functions', '24-cancelled-batches', '57-resumable-uploads']
const record = `insert into mikro_orm_migrations (id, name) values ${replaced.map((name, index) => `(${index - replaced.length}, '${name}')`).join()}`

t.test('a database at migration 58 continues with 59', async (t) => {
  const { orm, open } = await openReleased(t)
  t.strictSame(await pendingMigrations(orm), names.slice(1))
  t.match(await migrate(orm), { migrated: names.slice(1) })
  t.match(judgeMigrations([...replaced, ...names]), { outcome: 'ok', message: `all ${names.length} have run` })
  const database = await open('refuse')
  if (database.kind === 'postgres') await database.close()
})

t.test('an older database is refused, and so is a backup of it', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await orm.migrator.getPending()
  await orm.em.execute(record)
  const sentence = (what: string, remedy: string) => `${what} is at migration 57-resumable-uploads, and this release migrates from 58-last-backup on: first ${remedy} with the code of commit d1d98f9`
  const message = sentence('the database', 'run `obra migrate`')
  await t.rejects(settleMigrations(orm, 'refuse'), { message })
  await t.rejects(migrate(orm), { message })
  await t.rejects(linesOfBackup(t, orm), { message })
  t.match(judgeMigrations(replaced), { outcome: 'failed', message })
  t.same(await orm.em.execute("select to_regclass('customers')::text as customers"), [{ customers: null }])

  const target = await openEmptyDatabase(t)
  const head = JSON.stringify({ obra: 'backup', format: 2, version: '0.1.0', migrations: replaced, rows: 0 })
  await t.rejects(restore(target.orm, each([head])), { message: sentence('the backup', 'restore it') })
})
