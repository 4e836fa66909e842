import { randomBytes } from 'node:crypto'
import t from 'tap'
import { migrate } from '../../../../src/server/migrate.ts'
import { unchanged } from '../../../../src/database/schema/load.ts'
import { setUpLogin } from '../../../../src/database/connection/login.ts'
import { loadDemo } from '../../../../src/domain/demo/load.ts'
import { Purge } from '../../../../src/jobs/purging/purge.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { buildOn, logIn } from '../../../support/helper.ts'
import { onServer, server } from '../../../support/template.ts'

t.test('an owner that is not a superuser can migrate, and the service has the same walls', async (t) => {
  const { orm, open } = await openEmptyDatabase(t, `obra_test_owner_${randomBytes(4).toString('hex')}`)
  t.same(await orm.em.execute('select rolsuper as super, rolbypassrls as bypasses from pg_roles where rolname = current_user'), [{ super: false, bypasses: false }])
  await migrate(orm)
  await loadDemo(orm)
  if (server !== undefined) t.match(await setUpLogin(orm), { changed: false }, 'the login of an owner needs no settings')
  t.same(await orm.em.execute('select count(*)::int as rows from contracts'), [{ rows: 0 }], 'the owner sees no row without a company either')

  // The policies apply to the owner too.
  const log = async (statement: string) => await orm.em.fork().transactional(async (em) => {
    await em.execute("select set_config('app.companies', '{1}', true)")
    return await em.execute<Array<{ n: number }>>(statement)
  })
  const app = await buildOn(t, await open('refuse'))
  const director = await logIn(app, 'director@demo.example')
  t.equal((await director.get('contracts/')).json().count, 60)
  t.equal((await director.get('contracts/?search=on-2026-001')).json().count, 10, 'the search index works')
  const [{ n: superseded }] = await log(`
    select count(*)::int as n from changes c where exists (
      select from changes l where l.company_id = c.company_id and l.resource = c.resource and l.record_id = c.record_id and l.revision > c.revision)`) as [{ n: number }]
  const created = await director.post('contracts/', { folio: 'O-1' })
  t.equal(created.statusCode, 201)
  t.equal((await director.send('PATCH', `contracts/${created.json().id}/`, { monto: '5' })).json().monto, '5.00')
  t.equal((await director.send('DELETE', `contracts/${created.json().id}/`)).statusCode, 204)
  t.equal((await director.get('contracts/')).json().count, 60)

  const role = await orm.em.execute<Array<{ role: string }>>('select current_user::text as role')
  await orm.em.execute('set role none')
  await log("update changes set changed_at = clock_timestamp() - interval '101 days'")
  const [{ n }] = await log('select count(*)::int as n from changes') as [{ n: number }]
  await orm.em.execute(`set role ${role[0]?.role}`)
  t.match(await new Purge(app.database.sql).run({ pause: 0, waitForLock: true }), { changes: superseded + 3 }, 'insert, update and delete of the deleted record')
  await orm.em.execute('set role none')
  t.same(await log('select count(*)::int as n from changes'), [{ n: n - superseded - 3 }])
  await orm.em.execute(`set role ${role[0]?.role}`)
})

t.test('an owner who may no longer grant roles can load functions, except those of the search', { skip: server === undefined && 'the embedded database has no other login' }, async (t) => {
  const owner = `obra_test_owner_${randomBytes(4).toString('hex')}`
  const { orm } = await openEmptyDatabase(t, owner)
  await migrate(orm)
  await onServer(async client => await client.query(`alter role ${owner} nocreaterole`))
  await orm.em.execute('alter function keep_sum reset all')
  t.strictSame(await migrate(orm), { ...unchanged, migrated: [], functions: { loaded: ['keep_sum'], dropped: [] } })
})
