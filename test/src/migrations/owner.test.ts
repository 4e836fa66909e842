import { randomBytes } from 'node:crypto'
import t from 'tap'
import { migrate } from '../../../src/database/database.ts'
import { loadDemo } from '../../../src/demo/load.ts'
import { openEmptyDatabase } from '../../empty-database.ts'
import { buildOn, logIn } from '../../helper.ts'

t.test('an owner that is no superuser migrates the database, and the service works on it behind the same walls', async (t) => {
  const { orm, open } = await openEmptyDatabase(t, `obra_test_owner_${randomBytes(4).toString('hex')}`)
  t.same(await orm.em.execute('select rolsuper as super, rolbypassrls as bypasses from pg_roles where rolname = current_user'), [{ super: false, bypasses: false }])
  await migrate(orm)
  await loadDemo(orm)
  t.same(await orm.em.execute('select count(*)::int as rows from contracts'), [{ rows: 0 }], 'the owner too sees no row without a company')

  const app = await buildOn(t, await open('refuse'))
  const director = await logIn(app, 'director@demo.example')
  t.equal((await director.get('contracts/')).json().count, 60)
  t.equal((await director.get('contracts/?search=on-2026-001')).json().count, 10, 'the search index too')
  const created = await director.post('contracts/', { folio: 'O-1' })
  t.equal(created.statusCode, 201)
  t.equal((await director.send('PATCH', `contracts/${created.json().id}/`, { monto: '5' })).json().monto, '5.00')
  t.equal((await director.send('DELETE', `contracts/${created.json().id}/`)).statusCode, 204)
  t.equal((await director.get('contracts/')).json().count, 60)
})
