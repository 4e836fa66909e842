import type pg from 'pg'
import t from 'tap'
import { ConnectionCheck, isUnfit, UnfitConnection } from '../../../../src/database/connection/connection-check.ts'
import { isUnavailable } from '../../../../src/database/connection/sql-errors.ts'
import { openDatabaseAt } from '../../../../src/server/open-database.ts'
import { lendEmbedded } from '../../../support/template.ts'

t.test('a refusal lasts ten seconds, or until the next accepted connection', async (t) => {
  const check = new ConnectionCheck({ role: 'obra_app', jit: 'off' }, 100)
  const events: string[] = []
  check.on('refused', ({ message }) => events.push(message)).on('accepted', () => events.push('accepted'))
  const client = (role: string) => ({ query: async () => ({ rows: [{ name: 'role', setting: role }, { name: 'jit', setting: 'off' }] }) }) as unknown as pg.ClientBase
  await check.verify(client('obra_app'))
  for (let attempt = 0; attempt < 3; attempt++) await t.rejects(check.verify(client('postgres')), { message: /lacks the role or settings/ })
  t.ok(check.isRefusing)
  t.match(events, [/role is postgres instead of obra_app/])
  const clock = t.capture(performance, 'now', () => Number.MAX_SAFE_INTEGER)
  t.notOk(check.isRefusing)
  clock.restore()
  await check.verify(client('obra_app'))
  t.notOk(check.isRefusing)
  t.match(events, [/role/, 'accepted'])
})

t.test('an error of a transaction in another session is a refusal, which a good connection does not end', async (t) => {
  const check = new ConnectionCheck({ jit: 'off' }, 100)
  const events: string[] = []
  check.on('refused', ({ message }) => events.push(message)).on('accepted', () => events.push('accepted'))
  const good = { query: async () => ({ rows: [{ name: 'jit', setting: 'off' }] }) } as unknown as pg.ClientBase
  t.equal(check.reportError(events), events, 'another error')
  const lost = Object.assign(new Error('prepared statement "x" does not exist'), { code: '26000' })
  t.match(check.reportError(lost), { message: /^a pooler lost a prepared statement: use session mode/, cause: lost })
  const wrong = Object.assign(new Error('unrecognized configuration parameter "obra.this_role_is_not_obra_app"'), { code: '42704' })
  t.match(check.reportError(wrong), { message: /^a transaction did not run as obra_app: run `obra migrate`/, cause: wrong })
  await check.verify(good)
  t.ok(check.isRefusing)
  const later = t.capture(performance, 'now', () => Number.MAX_SAFE_INTEGER)
  await check.verify(good)
  later.restore()
  t.notOk(check.isRefusing)
  t.match(events, [/a pooler/, 'accepted'], 'a second refusal is not announced')
  t.equal(events.length, 2)
  t.ok(isUnfit(new Error('wrapped', { cause: new UnfitConnection('x') })))
})

t.test('a connection to a standby is refused', async (t) => {
  const check = new ConnectionCheck({ in_hot_standby: 'off' }, 100)
  const standby = { query: async () => ({ rows: [{ name: 'in_hot_standby', setting: 'on' }] }) } as unknown as pg.ClientBase
  const refusal = await check.verify(standby).catch((error: Error) => error)
  t.match(refusal, { message: 'the database is a standby, or in recovery' })
  t.ok(isUnavailable(refusal), 'a starting server waits')
})

t.test('the embedded database does not open with a wrong setting', async (t) => {
  const pglite = await lendEmbedded(t, 'demo')
  const check = new ConnectionCheck({ role: 'obra_app', jit: 'on' }, 1000)
  await t.rejects(openDatabaseAt(pglite, 1, check), { message: /^the embedded database cannot be used: .*: jit is off instead of on;/ })
  const database = await openDatabaseAt(pglite, 1)
  t.same(await database.sql.query({ text: 'select current_user::text as role', values: [] }), [{ role: 'obra_app' }])
  await database.close()
})
