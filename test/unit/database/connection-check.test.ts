import pg from 'pg'
import t, { type Test } from 'tap'
import { serviceCheck } from '../../../src/database/orm.ts'
import { loadConfig } from '../../../src/config.ts'
import { ConnectionCheck, isUnfit, UnfitConnection } from '../../../src/database/connection-check.ts'
import { openDatabase, openDatabaseAt } from '../../../src/server/open-database.ts'
import { isUnavailable } from '../../../src/database/sql.ts'
import { buildOn, logIn, openTestDatabase, type TestDatabase } from '../../support/helper.ts'
import { demoPlace, refusedStart } from '../../support/process.ts'
import { startupProxy } from '../../support/startup-proxy.ts'
import { lendEmbedded, server } from '../../support/template.ts'

const onServer = { skip: server === undefined && 'the embedded database has no startup parameters' }

const withoutRole = (options: string) => options.replace('-c role=obra_app', '')

/** A test database behind a proxy. */
async function proxied (t: Test): Promise<TestDatabase & { proxy: Awaited<ReturnType<typeof startupProxy>> }> {
  const fresh = await openTestDatabase(t)
  return { ...fresh, proxy: await startupProxy(t, fresh.env['DATABASE_URL'] as string) }
}

t.test('a server whose connections lose their startup options does not start, and reports the reason in one line', onServer, async (t) => {
  const place = await demoPlace(t)
  const proxy = await startupProxy(t, place.env['DATABASE_URL'] as string)
  proxy.rewrite = () => undefined
  const { code, stdout, stderr } = await refusedStart(t, place, { DATABASE_URL: proxy.url, PORT: '0' })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^obra: the database of DATABASE_URL cannot be used: a new connection lacks the role or settings of the service: role is \w+ instead of obra_app, [^\n]*statement_timeout is 0 instead of 15000[^\n]*PgBouncer[^\n]*\n$/)
})

t.test('each wrong setting is named, and no other', onServer, async (t) => {
  const { proxy } = await proxied(t)
  const open = async () => await openDatabase(loadConfig({ DATABASE_URL: proxy.url }), 'refuse')
  for (const [name, other, shown = other] of [
    ['role', 'none', '\\w+'], ['row_security', 'off'], ['plan_cache_mode', 'auto'], ['jit', 'on'], ['timezone', 'America/Merida'],
    ['statement_timeout', '0'], ['lock_timeout', '9s', '9000'], ['idle_in_transaction_session_timeout', '0']
  ] as const) {
    proxy.rewrite = options => options.replace(new RegExp(`-c ${name}=\\S+`), `-c ${name}=${other}`)
    await t.rejects(open(), { message: new RegExp(`of the service: ${name} is ${shown} instead of [^,;]+; connect`) }, name)
  }
  proxy.rewrite = options => options
  await (await open()).close()
})

t.test('a connection refused at run time serves no request: 503, one log line, not ready, until a connection passes', onServer, async (t) => {
  const { proxy, psql } = await proxied(t)
  const database = await openDatabase(loadConfig({ DATABASE_URL: proxy.url }), 'refuse')
  const app = await buildOn(t, database)
  const logged: Array<{ level: string, message: string }> = []
  for (const level of ['error', 'warn'] as const) app.log[level] = ((...args: unknown[]) => { logged.push({ level, message: String(args.at(-1)) }) }) as typeof app.log.error
  const director = await logIn(app, 'director@demo.example')
  const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
  const everything = async () => await Promise.all([
    director.get('contracts/?ordering=-id'), director.get(`contracts/${id}/`), director.get('me/'), director.post('contracts/', { folio: 'UNFIT' }), director.post('contracts/', { folio: 'UNFIT-2' }, { 'idempotency-key': 'unfit' }),
    director.send('PATCH', `contracts/${id}/`, { descripcion: 'UNFIT' }), director.post('contracts/bulk/', { items: [{ folio: 'UNFIT-3' }] }), director.post('api-token-refresh/', { refresh: director.refresh })
  ])
  const ready = async () => {
    await new Promise(resolve => setTimeout(resolve, 1000)) // the last result is cached for a second
    const response = await app.inject('/health/ready/')
    return [response.statusCode, response.json().checks.database]
  }
  t.same(await ready(), [200, 'ok'])

  proxy.rewrite = withoutRole
  proxy.cut()
  while ((database.pool?.totalCount ?? 0) > 0) await new Promise(resolve => setImmediate(resolve))
  for (let round = 0; round < 3; round++) {
    for (const response of await everything()) {
      t.equal(response.statusCode, 503)
      t.equal(response.headers['retry-after'], '1')
      t.same(response.json(), { detail: response.json().detail, code: 'unavailable' })
      t.notMatch(response.body, /obra_app|role/)
    }
  }
  t.same(await ready(), [503, 'failed'])
  t.same(logged, [{ level: 'error', message: 'database connections are refused, requests fail with 503' }])
  t.same(await psql("select folio from contracts where folio like 'UNFIT%' or descripcion = 'UNFIT'"), [])
  t.equal(database.pool?.totalCount, 0, 'no connection is kept')

  proxy.rewrite = options => options
  t.same((await everything()).map(({ statusCode }) => statusCode), [200, 200, 200, 201, 201, 200, 201, 200])
  t.same(await ready(), [200, 'ok'])
  t.same(logged.slice(1), [{ level: 'warn', message: 'database connections are accepted again' }])
})

t.test('good connections continue while one is refused, and the process is not ready', onServer, async (t) => {
  const { proxy } = await proxied(t)
  const database = await openDatabase(loadConfig({ DATABASE_URL: proxy.url }), 'refuse')
  const app = await buildOn(t, database)
  t.equal(database.pool?.totalCount, 1)
  proxy.rewrite = withoutRole
  const sleep = { text: 'select current_user::text as role, pg_sleep(0.3)::text', values: [] }
  const [first, second] = await Promise.allSettled([database.sql.query(sleep), database.sql.query(sleep)])
  t.match(first, { status: 'fulfilled', value: [{ role: 'obra_app' }] })
  t.match(second, { status: 'rejected', reason: { message: /role is \w+ instead of obra_app/ } })
  t.match((await app.inject('/health/ready/')).json(), { status: 'unavailable', checks: { database: 'failed' } })
})

t.test('a connection that does not answer the check is closed', onServer, async (t) => {
  const { proxy } = await proxied(t)
  const check = new ConnectionCheck({ jit: 'on' }, 200)
  const pool = new pg.Pool({ connectionString: proxy.url, max: 1, pipeline: true, onConnect: async client => await check.admit(client) })
  pool.on('error', () => {})
  t.teardown(async () => await pool.end())
  proxy.silent = true
  const error = await pool.query('select 1').then(() => t.fail('an unchecked connection was lent'), (error: Error) => error)
  t.ok(isUnavailable(error))
  t.notOk(isUnfit(error))
  t.notOk(check.isRefusing, 'its settings are unknown')
  t.equal(pool.totalCount, 0)
  proxy.silent = false
  t.same((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  t.equal(proxy.connections, 2)
})

t.test('a refusal lasts ten seconds, or until the next admitted connection', async (t) => {
  const check = new ConnectionCheck({ role: 'obra_app', jit: 'off' }, 100)
  const events: string[] = []
  check.on('refused', ({ message }) => events.push(message)).on('admitted', () => events.push('admitted'))
  const client = (role: string) => ({ query: async () => ({ rows: [{ name: 'role', setting: role }, { name: 'jit', setting: 'off' }] }) }) as unknown as pg.ClientBase
  await check.admit(client('obra_app'))
  for (let attempt = 0; attempt < 3; attempt++) await t.rejects(check.admit(client('postgres')), { message: /lacks the role or settings/ })
  t.ok(check.isRefusing)
  t.match(events, [/role is postgres instead of obra_app/])
  const clock = t.capture(performance, 'now', () => Number.MAX_SAFE_INTEGER)
  t.notOk(check.isRefusing)
  clock.restore()
  await check.admit(client('obra_app'))
  t.notOk(check.isRefusing)
  t.match(events, [/role/, 'admitted'])
  t.ok(isUnfit(new Error('wrapped', { cause: new UnfitConnection('x') })))
  t.ok(serviceCheck() instanceof ConnectionCheck)
})

t.test('the embedded database does not open with a wrong setting', async (t) => {
  const pglite = await lendEmbedded(t, 'demo')
  const check = new ConnectionCheck({ role: 'obra_app', jit: 'on' }, 1000)
  await t.rejects(openDatabaseAt(pglite, 'service', 1, check), { message: /^the embedded database cannot be used: .*: jit is off instead of on;/ })
  const database = await openDatabaseAt(pglite, 'service', 1)
  t.same(await database.sql.query({ text: 'select current_user::text as role', values: [] }), [{ role: 'obra_app' }])
  await database.close()
})
