import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../src/config.ts'
import { ConnectionCheck, isUnfit } from '../../../../src/database/connection/connection-check.ts'
import { isUnavailable } from '../../../../src/database/connection/sql-errors.ts'
import type { Database } from '../../../../src/database/database.ts'
import { openDatabase } from '../../../../src/server/open-database.ts'
import { build, buildOn, logIn, openTestDatabase, type Client, type TestDatabase } from '../../../support/helper.ts'
import { createLogin, setUp, urlAs } from '../../../support/login.ts'
import { patientCheck } from '../../../support/patient-check.ts'
import { demoPlace, refusedStart } from '../../../support/process.ts'
import { onServer, server } from '../../../support/template.ts'

const postgres = { skip: server === undefined && 'the embedded database has no logins' }

const nameOf = (url: string | undefined) => new URL(url as string).pathname.slice(1)

/** A test database whose variables name a login of the servers' own. */
interface WithLogin extends TestDatabase {
  login: string
}

async function openWithLogin (t: Test): Promise<WithLogin> {
  const fresh = await openTestDatabase(t)
  const login = await createLogin(t)
  await setUp(login, nameOf(fresh.env['DATABASE_URL']))
  return { ...fresh, login, env: { DATABASE_URL: urlAs(login, fresh.env['DATABASE_URL']) } }
}

/** Changes a setting of the login in its database. It applies to new connections. */
async function change ({ env, login }: WithLogin, setting: string, value: string): Promise<void> {
  await onServer(async client => await client.query(`alter role ${login} in database ${nameOf(env['DATABASE_URL'])} set ${setting} = '${value}'`))
}

/** Sets the login up again. */
async function repair ({ env, login }: WithLogin): Promise<void> {
  await setUp(login, nameOf(env['DATABASE_URL']))
}

/** Ends the connections of the service, as a failover does. */
async function cut ({ psql }: Pick<TestDatabase, 'psql'>, { pool }: Database): Promise<void> {
  await psql('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
  while (pool.totalCount > 0) await new Promise(resolve => setImmediate(resolve))
}

/** Requests of all kinds for data of a company. They use statements in turns, units of work and transactions of their own. */
async function everything (director: Client, id: number) {
  return await Promise.all([
    director.get('contracts/?ordering=-id'), director.get(`contracts/${id}/`), director.get(`contracts/${id}/tree/`), director.post('contracts/', { folio: 'UNFIT' }), director.post('contracts/', { folio: 'UNFIT-2' }, { 'idempotency-key': 'unfit' }),
    director.send('PATCH', `contracts/${id}/`, { descripcion: 'UNFIT' }), director.post('contracts/bulk/', { items: [{ folio: 'UNFIT-3' }] })
  ])
}

const allowed = [200, 200, 200, 201, 201, 200, 201]

async function unavailable (t: Test, answers: Array<Awaited<ReturnType<Client['get']>>>): Promise<void> {
  for (const response of answers) {
    t.equal(response.statusCode, 503)
    t.equal(response.headers['retry-after'], '1')
    t.same(response.json(), { detail: response.json().detail, code: 'unavailable' })
    t.notMatch(response.body, /obra_app|role/)
  }
}

/** Collects errors and warnings of a server's log. */
function logOf (app: Awaited<ReturnType<typeof buildOn>>): Array<{ level: string, message: string }> {
  const logged: Array<{ level: string, message: string }> = []
  for (const level of ['error', 'warn'] as const) app.log[level] = (...args: unknown[]) => { logged.push({ level, message: String(args.at(-1)) }) }
  return logged
}

async function ready (app: Awaited<ReturnType<typeof buildOn>>): Promise<unknown[]> {
  await new Promise(resolve => setTimeout(resolve, 1000)) // the last result is cached for a second
  const response = await app.inject('/health/ready/')
  return [response.statusCode, response.json().checks.database]
}

const refused = { level: 'error', message: 'database connections are refused, requests fail with 503' }
const accepted = { level: 'warn', message: 'database connections are accepted again' }

t.test('a server whose login is not set up does not start, and reports the reason and the remedy in one line', postgres, async (t) => {
  const demo = await demoPlace(t)
  const login = await createLogin(t, 'in role obra_app')
  const place = { ...demo, env: { DATABASE_URL: urlAs(login, demo.env['DATABASE_URL']) } }
  const { code, stdout, stderr } = await refusedStart(t, place, { NODE_ENV: 'production', JWT_SECRET: 'a key of the tests for production, long enough', PORT: '0' })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^obra: the database of DATABASE_URL cannot be used: a new connection lacks the role or settings of the service: role is \w+ instead of obra_app, [^\n]*statement_timeout is 0 instead of 15000[^\n]*`obra migrate`[^\n]*`--login`[^\n]*\n$/)
})

t.test('each wrong setting is named, and no other', postgres, async (t) => {
  const fresh = await openWithLogin(t)
  const open = async () => await openDatabase(loadConfig(fresh.env), 'refuse', patientCheck())
  for (const [name, other, shown = other] of [
    ['role', 'none', '\\w+'], ['row_security', 'off'], ['plan_cache_mode', 'auto'], ['jit', 'on'], ['timezone', 'America/Merida'],
    ['statement_timeout', '0'], ['lock_timeout', '9s', '9000'], ['idle_in_transaction_session_timeout', '0']
  ] as const) {
    await change(fresh, name, other)
    await t.rejects(open(), { message: new RegExp(`of the service: ${name} is ${shown} instead of [^,;]+; run`) }, name)
    await repair(fresh)
  }
  await (await open()).close()
})

t.test('a connection refused at run time serves no request: 503, one log line, not ready, until a connection passes', postgres, async (t) => {
  const fresh = await openWithLogin(t)
  const database = await openDatabase(loadConfig(fresh.env), 'refuse', patientCheck())
  const app = await buildOn(t, database)
  const logged = logOf(app)
  const director = await logIn(app, 'director@demo.example')
  const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
  const all = async () => [...await everything(director, id), ...await Promise.all([director.get('me/'), director.post('api-token-refresh/', { refresh: director.refresh })])]
  t.same(await ready(app), [200, 'ok'])

  await change(fresh, 'role', 'none')
  await cut(fresh, database)
  for (let round = 0; round < 3; round++) await unavailable(t, await all())
  t.same(await ready(app), [503, 'failed'])
  t.same(logged, [refused])
  t.same(await fresh.psql("select folio from contracts where folio like 'UNFIT%' or descripcion = 'UNFIT'"), [])
  t.equal(database.pool.totalCount, 0, 'no connection is kept')

  await repair(fresh)
  t.same((await all()).map(({ statusCode }) => statusCode), [...allowed, 200, 200])
  t.same(await ready(app), [200, 'ok'])
  t.same(logged.slice(1), [accepted])
})

t.test('a transaction in a session with another role fails before it sees or changes data of a company', async (t) => {
  const { app, as, database, psql } = await build(t)
  const logged = logOf(app)
  const director = await as('director@demo.example')
  const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
  const pool = await database.orm.em.getConnection().getNativeClient()
  // As with a pooler that runs each transaction in a session of its choice.
  const otherRole = (client: pg.PoolClient) => { client.query('set role none').catch(() => {}) }
  pool.on('acquire', otherRole)
  for (let round = 0; round < 3; round++) await unavailable(t, await everything(director, id))
  t.same(await ready(app), [503, 'failed'])
  t.same(logged, [refused])
  t.same(await psql("select folio from contracts where folio like 'UNFIT%' or descripcion = 'UNFIT'"), [])

  pool.off('acquire', otherRole)
  const idle = pool.idleCount
  for (let connection = 0; connection <= idle; connection++) await everything(director, id) // those with the other role are closed one by one
  await psql("delete from contracts where folio like 'UNFIT%'")
  await psql('delete from idempotency_keys')
  t.same((await everything(director, id)).map(({ statusCode }) => statusCode), allowed)
})

t.test('good connections continue while one is refused, and the process is not ready', postgres, async (t) => {
  const fresh = await openWithLogin(t)
  const database = await openDatabase(loadConfig(fresh.env), 'refuse', patientCheck())
  const app = await buildOn(t, database)
  t.equal(database.pool.totalCount, 1)
  await change(fresh, 'role', 'none')
  const sleep = { text: 'select current_user::text as role, pg_sleep(0.3)::text', values: [] }
  const [first, second] = await Promise.allSettled([database.sql.query(sleep), database.sql.query(sleep)])
  t.match(first, { status: 'fulfilled', value: [{ role: 'obra_app' }] })
  t.match(second, { status: 'rejected', reason: { message: /role is \w+ instead of obra_app/ } })
  t.match((await app.inject('/health/ready/')).json(), { status: 'unavailable', checks: { database: 'failed' } })
})

t.test('a connection that does not answer the check is closed', postgres, async (t) => {
  const { env } = await openWithLogin(t)
  const target = new URL(env['DATABASE_URL'])
  const readyForQuery = Buffer.from('Z\0\0\0\x05I')
  let isSilent = true
  let connections = 0
  const listener = createServer(client => {
    connections++
    const silent = isSilent
    const onward = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, onward]) socket.on('error', () => {}).on('close', () => { client.destroy(); onward.destroy() })
    client.pipe(onward)
    onward.on('data', (answer: Buffer) => {
      client.write(answer)
      if (silent && answer.subarray(-readyForQuery.length).equals(readyForQuery)) client.unpipe(onward).resume()
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(target)
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  let check = new ConnectionCheck({ jit: 'off' }, 200)
  const pool = new pg.Pool({ connectionString: url.href, max: 1, pipeline: true, onConnect: async client => await check.verify(client) })
  pool.on('error', () => {})
  t.teardown(async () => {
    await pool.end()
    listener.close()
  })
  const error = await pool.query('select 1').then(() => t.fail('an unchecked connection was lent'), (error: Error) => error)
  t.ok(isUnavailable(error))
  t.notOk(isUnfit(error))
  t.notOk(check.isRefusing, 'its settings are unknown')
  t.equal(pool.totalCount, 0)
  isSilent = false
  check = new ConnectionCheck({ jit: 'off' }, 60_000)
  t.same((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  t.equal(connections, 2)
})
