import t from 'tap'
import { contention } from '../../../src/database/connection/channels.ts'
import { openTestDatabase } from '../../support/helper.ts'
import { lockWait, openSession } from '../../support/session.ts'
import { server } from '../../support/template.ts'
import { parse } from './parse.ts'

t.test('an import is repeated after a deadlock with another change of many users', { skip: server === undefined && 'needs two connections' }, async (t) => {
  const place = await openTestDatabase(t)
  const { psql } = place
  const company = (await psql('select min(id) as id from companies'))[0]?.['id'] as number
  const users = await psql("insert into users (email, password) select 'mover-' || n || '@x.example', 'none' from generate_series(1, 2) n returning id, email")
  const [first, last] = users as [{ id: number }, { id: number }]
  let repeated = 0
  const count = () => { repeated++ }
  contention.subscribe(count)
  // PostgreSQL ends the transaction that looks for a deadlock first. This must be the import, also on a busy machine, and before it gives up the lock after 10 s.
  await psql('do $$ begin execute format(\'alter database %I set deadlock_timeout = %L\', current_database(), \'8s\'); end $$')
  t.teardown(() => contention.unsubscribe(count))
  const client = await openSession(t, place.env, '-c deadlock_timeout=60s')

  const raise = async ({ id }: { id: number }) => await client.query('select raise_authority($1)', [id % 256])
  await client.query('begin')
  await raise(last)
  const input = users.map(({ email }) => `${JSON.stringify({ email, memberships: [{ company, nivel_acceso: 1 }] })}\n`).join('')
  const imported = parse(['import-users', '-', '--update', '--json'], place.env, { input })
  await lockWait(psql)
  await raise(first)
  await client.query('commit')

  const { error, out } = await imported
  t.equal(error, undefined)
  t.strictSame(JSON.parse(out), { created: 0, updated: 2, dry_run: false })
  t.equal(repeated, 1)
  t.equal((await psql('select from memberships where user_id = any ($1::int[])', [[first.id, last.id]])).length, 2)
})
