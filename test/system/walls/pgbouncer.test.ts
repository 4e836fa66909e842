import pg from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn, openTestDatabase, type Client, type TestDatabase } from '../../support/helper.ts'
import { createLogin, urlAs } from '../../support/login.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { startPgBouncer, withoutPgBouncer } from '../../support/pgbouncer.ts'
import { parse } from '../../unit/cli/parse.ts'

/** A test database with a login of its own that only has the service's role. @returns also its URL with this login */
async function withLogin (t: Test): Promise<TestDatabase & { url: string }> {
  const fresh = await openTestDatabase(t)
  const login = await createLogin(t)
  t.match(await parse(['migrate', '--login', login], fresh.env), { error: undefined, out: `nothing to migrate\nset up the login ${login}\n` })
  t.match(await parse(['migrate', '--login', login], fresh.env), { error: undefined, out: 'nothing to migrate\n' })
  return { ...fresh, url: urlAs(login, fresh.env['DATABASE_URL']) }
}

const open = async (url: string) => await openDatabase(loadConfig({ DATABASE_URL: url, DATABASE_POOL: '4' }), 'refuse', patientCheck())
const sessionOf = "select pg_backend_pid() as pid, current_user::text as role, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock"
const settings = { role: 'obra_app', statement: '15s', lock: '100ms' }

t.test('behind PgBouncer in session mode the walls and the timeouts stand', { skip: withoutPgBouncer }, async (t) => {
  const { url, psql } = await withLogin(t)
  const through = await startPgBouncer(t, url)
  const database = await open(through)
  const { sql } = database
  const app = await buildOn(t, database)
  const [norte, otra] = await Promise.all(['director@demo.example', 'director@otra.example'].map(async email => await logIn(app, email))) as [Client, Client]
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Norte'") as [{ id: number }]

  t.match(await sql.query({ text: sessionOf, values: [] }), [settings])
  const count = { text: 'select count(*)::int as rows from contracts', values: [] }
  t.same(await sql.query(count), [{ rows: 0 }], 'no row without a company')
  t.same(await sql.within([company], 'read only', [count]), [[{ rows: 60 }]], 'only rows of the company')
  t.same([(await norte.get('contracts/')).json().count, (await otra.get('contracts/')).json().count], [60, 25])

  const made = await norte.post('contracts/', { folio: 'POOLER-1' }, { 'idempotency-key': 'pooler-1' })
  t.equal(made.statusCode, 201)
  const { id } = made.json()
  t.equal((await norte.send('PATCH', `contracts/${id}/`, { monto: '5' })).json().monto, '5.00')
  t.equal((await otra.get(`contracts/${id}/`)).statusCode, 404)
  t.equal((await otra.send('PATCH', `contracts/${id}/`, { monto: '6' })).statusCode, 404)
  t.equal((await norte.send('DELETE', `contracts/${id}/`)).statusCode, 204)

  await psql('begin')
  await psql('select from users for update')
  await t.rejects(sql.query({ text: "update users set nombre = 'x'", values: [] }), { code: '55P03' }, 'the lock timeout applies')
  await psql('rollback')
})

t.test('a session that another client has changed has the settings of its login again', { skip: withoutPgBouncer }, async (t) => {
  const { url } = await withLogin(t)
  const through = await startPgBouncer(t, url, { default_pool_size: '1' })
  const first = new pg.Client({ connectionString: through })
  await first.connect()
  const { rows: [{ pid, ...before }] } = await first.query(sessionOf)
  t.match(before, settings)
  await first.query('set role none')
  await first.query("set statement_timeout = 0; set lock_timeout = 0; set row_security = off; select set_config('app.companies', '{1,2,3}', false)")
  await first.end()
  const database = await open(through)
  const [session] = await database.sql.query({ text: `${sessionOf}, current_setting('row_security') as row_security, current_setting('app.companies', true) as companies`, values: [] })
  t.match(session, { pid, ...settings, row_security: 'on' })
  t.notOk(session?.['companies'])
  await database.close()
})

t.test('with fewer connections to PostgreSQL than the servers open, requests wait or get 503, and see only their company', { skip: withoutPgBouncer }, async (t) => {
  const { url } = await withLogin(t)
  const through = await startPgBouncer(t, url, { default_pool_size: '3' })
  const servers = []
  for (let number = 0; number < 2; number++) servers.push(await buildOn(t, await open(through), { RATE_LIMIT: 'off' }))
  const clients = []
  for (const app of servers) for (const email of ['director@demo.example', 'director@otra.example']) clients.push(await logIn(app, email))
  const answers = (await Promise.all(clients.flatMap((client, index) => Array.from({ length: 20 }, async (_, n) => {
    const path = n % 2 === 0 ? `contracts/?search=${n}-${index}&page_size=1` : `contracts/?monto_min=${n}.0${index}&page_size=1`
    const { statusCode, body } = await client.get(path)
    return { statusCode, body: JSON.parse(body), isNorte: index % 2 === 0 }
  })))).flat()
  t.same([...new Set(answers.map(({ statusCode }) => statusCode))].filter(status => status !== 200 && status !== 503), [])
  const found = answers.filter(({ statusCode }) => statusCode === 200)
  t.ok(found.length > 0)
  for (const { body, isNorte } of found) for (const { folio } of body.results) t.match(folio, isNorte ? /^ON-/ : /^OU-/)
  await servers[0]?.close()
  t.equal((await clients.at(-1)?.get('contracts/'))?.json().count, 25)
})

t.test('in transaction mode without prepared statements, requests get 503 and the log says why, and no answer is wrong', { skip: withoutPgBouncer }, async (t) => {
  const { url } = await withLogin(t)
  const through = await startPgBouncer(t, url, { pool_mode: 'transaction', default_pool_size: '3', query_wait_timeout: '1' })
  const refusals: string[] = []
  const servers = []
  for (let number = 0; number < 2; number++) {
    const database = await open(through)
    database.check.on('refused', ({ message }) => refusals.push(message))
    servers.push(await buildOn(t, database, { RATE_LIMIT: 'off' }))
  }
  const seen = new Set<number>()
  // The statements differ between the servers, so a session rarely has those of a request.
  for (let round = 0; round < 20 && refusals.length === 0; round++) {
    await Promise.all(servers.map(async (app, index) => {
      const isNorte = index === 0
      const login = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: isNorte ? 'director@demo.example' : 'director@otra.example', password: demoPassword } })
      seen.add(login.statusCode)
      if (login.statusCode !== 200) return
      const authorization = `Bearer ${login.json().access}`
      await Promise.all(Array.from({ length: 40 }, async (_, n) => {
        const { statusCode, body } = n % 4 === 3
          ? await app.inject({ method: 'POST', url: '/api/v1/contracts/', headers: { authorization, ...n % 8 === 3 ? { 'idempotency-key': `pooler ${round} ${n}` } : {} }, payload: { folio: `${isNorte ? 'ON' : 'OU'}-P${round}-${n}` } })
          : await app.inject({ url: `/api/v1/contracts/?monto_min=${n}.${round}${index}`, headers: { authorization } })
        seen.add(statusCode)
        if (statusCode === 200) for (const { folio } of JSON.parse(body).results) t.match(folio, isNorte ? /^ON-/ : /^OU-/)
      }))
    }))
  }
  t.same([...seen].filter(status => ![200, 201, 503].includes(status)), [])
  t.ok(seen.has(503))
  t.match(refusals[0], /^a pooler lost a prepared statement: use session mode, or PgBouncer 1\.21 or newer with `max_prepared_statements`$/)
})
