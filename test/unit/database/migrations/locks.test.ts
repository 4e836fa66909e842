import t from 'tap'
import { migrate } from '../../../../src/server/migrate.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { openSession } from '../../../support/session.ts'
import { server } from '../../../support/template.ts'

const skip = server === undefined && 'the embedded database has one session'

t.test('a migration waits for a long transaction without delaying others', { skip }, async (t) => {
  const { orm, env } = await openEmptyDatabase(t)
  await orm.migrator.up({ to: '64-texts' })
  const [reader, other] = [await openSession(t, env), await openSession(t, env)]
  await reader.query('begin')
  await reader.query('select from adjuntos')

  let ended = false
  const locked = Promise.withResolvers<void>()
  const migrated = migrate(orm, locked.resolve).finally(() => { ended = true })
  await locked.promise
  // Each waits at most for one attempt of the migration, not for the long transaction.
  for (let times = 0; times < 20; times++) await other.query('select from adjuntos')
  t.equal(ended, false)
  t.equal((await other.query("select from mikro_orm_migrations where name = '65-file-types'")).rowCount, 0)

  await reader.query('commit')
  t.match(await migrated, { migrated: ['65-file-types', '66-declared-triggers'] })
  t.strictSame(await orm.em.execute('show lock_timeout'), [{ lock_timeout: '0' }])
})
