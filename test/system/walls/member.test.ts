import { randomBytes } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { openTestDatabase } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { server } from '../../support/template.ts'
import { parse } from '../../unit/cli/parse.ts'

t.test('a login with only this role, as in production, cannot gain rights', { skip: server === undefined && 'nobody logs in to the embedded database' }, async (t) => {
  const { env, psql } = await openTestDatabase(t)
  const [{ norte }] = await psql("select id as norte from companies where nombre = 'Obra Norte'") as [{ norte: number }]
  const snapshot = async () => await psql(`
    select (select json_agg(c order by id) from contracts c)::text as contracts, (select json_agg(r order by company_id) from company_revisions r)::text as revisions,
      (select count(*) from changes) as changes`)
  const before = await snapshot()
  const member = `obra_test_member_${randomBytes(4).toString('hex')}`
  await psql(`create role ${member} login password 'x'`)
  t.teardown(async () => await psql(`drop owned by ${member}; drop role ${member}`))
  t.match(await parse(['migrate', '--login', member], env), { error: undefined, out: `nothing to migrate\nset up the login ${member}\n` })
  const address = new URL(env['DATABASE_URL'])
  const owner = decodeURIComponent(address.username)
  Object.assign(address, { username: member, password: 'x' })
  const service = await openDatabase(loadConfig({ DATABASE_URL: address.href }), 'refuse', patientCheck())
  t.same(await service.sql.within([norte], 'read only', [{ text: 'select count(*) as rows from contracts', values: [] }]), [[{ rows: 60 }]], 'the service works')
  await service.close()

  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  for (const text of [
    `set role ${owner}`, `set session authorization ${owner}`, 'set role obra_search', `alter role ${member} superuser`, `alter role ${member} bypassrls`, `grant ${owner} to ${member}`, 'grant obra_search to current_user',
    'create table mine (id int)', 'create role mine', 'create database mine', 'alter table contracts disable row level security', 'alter table contracts owner to current_user', 'drop table changes', 'truncate contracts',
    'alter system set fsync = off', 'select * from pg_authid', "copy contracts to program 'id'", "select pg_read_file('/etc/passwd')", "set session_replication_role = 'replica'", 'update company_revisions set revision = 0', 'delete from changes'
  ]) await t.rejects(client.query(text), { code: /^(42501|42P16)$/ }, text)
  t.same((await client.query('select count(*)::int as rows from contracts')).rows, [{ rows: 0 }])
  await client.end()
  t.same(await snapshot(), before, 'nothing has changed')
})
