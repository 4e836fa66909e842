import { randomBytes } from 'node:crypto'
import t from 'tap'
import { demoPassword, demoUsers } from '../../../src/domain/demo/data.ts'
import type { Databases } from '../../../src/cli/with-database.ts'
import type { Database } from '../../../src/database/database.ts'
import { migrations } from '../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../support/empty-database.ts'
import { createLogin } from '../../support/login.ts'
import { None } from '../../support/none.ts'
import { onServer, server } from '../../support/template.ts'
import { parse } from './parse.ts'

t.test('an empty database is migrated and gets the demo data, each once', async (t) => {
  const { orm, open } = await openEmptyDatabase(t)
  let opened: Database | undefined
  t.teardown(async () => await opened?.close())
  const databases: Databases = {
    asOwner: async work => await work({ kind: server === undefined ? 'embedded' : 'postgres', orm }),
    withDatabase: async work => await work(opened ??= await open('refuse'))
  }
  const run = async (args: string[], env = {}) => await parse(args, env, { databases })
  const pending = { message: new RegExp(`^${migrations.length} migrations have not run \\(.+\\): run \`obra migrate\` first$`) }

  t.match(await run(['demo']), { out: '', error: pending })
  const production = { NODE_ENV: 'production', DATABASE_URL: 'embedded' } // no JWT_SECRET: commands sign nothing
  t.match(await run(['seed', '--yes'], production), { out: '', error: pending }, 'seeding does not migrate production')

  t.match(await run(['migrate'], production), { error: undefined, out: server === undefined ? /^migrated: [^\n]+\nloaded functions: \d+\nloaded triggers: \d+\n$/ : /^migrated: [^\n]+\nloaded functions: \d+\nloaded triggers: \d+\nonly the owners and the logins of servers can connect now\n$/ })
  t.match(await run(['migrate']), { error: undefined, out: 'nothing to migrate\n' })
  const again = JSON.parse((await run(['--json', 'migrate'])).out)
  t.match(again, server === undefined ? { migrated: None, login: undefined } : { migrated: None, login: String, changed: false })

  t.match(await run(['demo'], production), { out: '', error: { message: 'NODE_ENV is production: pass --yes to load accounts with a public password' } })
  const demo = await run(['demo', '--json'])
  t.strictSame(JSON.parse(demo.out), { users: demoUsers.map(({ email }) => email), password: demoPassword })
  t.match(await run(['demo']), { out: '', error: { message: /^the database already has customers: / } })
})

t.test('the login of the servers gets the role and its settings from the owner, once', async (t) => {
  const { env, orm } = await openEmptyDatabase(t, server === undefined ? undefined : `obra_test_owner_${randomBytes(4).toString('hex')}`)
  const databases = { asOwner: async work => await work({ kind: server === undefined ? 'embedded' : 'postgres', orm }) } as Databases
  const migrateFor = async (login: string) => await parse(['migrate', '--login', login], {}, { databases })
  if (server === undefined) {
    t.match(await migrateFor('obra_server'), { out: '', error: { message: 'the embedded database has no logins' } })
    return
  }
  const login = `obra_test "${randomBytes(4).toString('hex')}" login's`
  t.match(await migrateFor(login), { out: '', error: { message: `PostgreSQL has no login ${login}: create it with \`create role "${login.replaceAll('"', '""')}" login password '…'\`` } })
  t.match(await migrateFor('obra_app'), { error: { message: /has no login obra_app/ } }, 'a role that cannot log in')

  const url = new URL(env['DATABASE_URL'])
  const owner = url.username
  const name = await createLogin(t)
  await onServer(async client => await client.query(`alter role ${owner} nocreaterole`))
  const { error } = await migrateFor(name)
  t.match((error as Error).message, new RegExp(`^${url.username} may not set up the login ${name}; run as a superuser: .*alter role "${name}" in database "\\w+" set role = 'obra_app'; .*set lock_timeout = '100';`))
  await onServer(async client => await client.query((error as Error).message.split(' superuser: ')[1]))
  t.match(await migrateFor(name), { error: undefined, out: 'nothing to migrate\nonly the owners and the logins of servers can connect now\n' })
  t.match(await migrateFor(await createLogin(t, 'superuser')), { error: undefined, out: 'nothing to migrate\n' }, 'the settings of a superuser stay')

  await onServer(async client => await client.query(`alter role ${owner} createrole; alter role ${name} in database ${url.pathname.slice(1)} set statement_timeout = '1h'`))
  t.match(await migrateFor(name), { error: undefined, out: `nothing to migrate\nset up the login ${name}\n` })
  const examined = async (user: string) => {
    Object.assign(url, { username: user, password: 'x' })
    return JSON.parse((await parse(['doctor', '--json'], { DATABASE_URL: url.href, NODE_ENV: 'production', JWT_SECRET: 'Zr8hQ0yNf1bKx3LmVt6wPcE9sJdG2uAo5iTq' })).out).findings.filter(({ check }: { check: string }) => check === 'login' || check === 'user')
  }
  t.match(await examined(name), [{ check: 'user', outcome: 'ok' }, { check: 'login', outcome: 'ok' }])
  t.match(await examined(owner), [
    { check: 'user', outcome: 'warning', message: `${owner} owns tables and can remove their policies: give servers a login of their own with \`obra migrate --login\`` },
    { check: 'login', outcome: 'ok', message: `connections as the owner ${owner} take the role and the settings themselves` }])
})
