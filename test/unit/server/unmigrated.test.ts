import { randomBytes } from 'node:crypto'
import t from 'tap'
import { pendingMigrations, settleMigrations } from '../../../src/server/migrate.ts'
import { migrations } from '../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../support/empty-database.ts'
import { onServer, server } from '../../support/template.ts'

t.test('an empty database asks for `obra migrate`', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const names = migrations.map(({ name }) => name)
  t.strictSame(await pendingMigrations(orm), names)
  await t.rejects(settleMigrations(orm, 'refuse'), { message: `${names.length} migrations have not run (${names.join(', ')}): run \`obra migrate\` first` })
})

t.test('it also does if the login has no rights', async (t) => {
  const role = `obra_test_${randomBytes(6).toString('hex')}`
  const { orm } = await openEmptyDatabase(t)
  await orm.em.execute(`create role ${role}; set session authorization ${role}`)
  if (server !== undefined) t.teardown(async () => await onServer(async client => await client.query(`drop role ${role}`)))
  await t.rejects(settleMigrations(orm, 'refuse'), {
    message: 'the database is not migrated, or not for this login (permission denied for schema public): run `obra migrate` as the owner of the tables, with `--login` if another user starts the servers'
  })
})
