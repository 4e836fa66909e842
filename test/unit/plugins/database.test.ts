import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn, openTestDatabase } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { openSession } from '../../support/session.ts'
import { server } from '../../support/template.ts'
import { tunnel } from '../../support/tunnel.ts'

t.test('an unreachable database fails to open, with one log line', async (t) => {
  const config = loadConfig({ DATABASE_URL: 'postgres://nobody:secreto@127.0.0.1:1/none' })
  for (const pending of ['refuse', 'migrate'] as const) {
    const error = await openDatabase(config, pending).then(() => t.fail('it opened'), (error: Error) => error) as Error
    t.match(error.message, /^the database of DATABASE_URL cannot be used: [^\n]*ECONNREFUSED[^\n]*$/)
    t.notMatch(error.message, /secreto/)
  }
})

t.test('the database closes with the server', async (t) => {
  const { database } = await openTestDatabase(t)
  let closed = 0
  const app = await buildOn(t, { ...database, close: async () => { closed++ } })
  await app.close()
  t.equal(closed, 1)
})

if (server !== undefined) {
  t.test('requests are 503 while PostgreSQL is down, and answered when it is back', async (t) => {
    const { env, psql } = await openTestDatabase(t)
    const { url, cut, mend } = await tunnel(t, env['DATABASE_URL'])
    const app = await buildOn(t, await openDatabase(loadConfig({ DATABASE_URL: url }), 'refuse', patientCheck()))
    const director = await logIn(app, 'director@demo.example')
    const [{ id }] = (await director.get('contracts/?page_size=1&ordering=-id')).json().results
    const everything = async () => await Promise.all([
      director.get('contracts/'), director.get(`contracts/${id}/`), director.get('me/'), director.post('contracts/', { folio: 'GONE' }),
      director.send('PATCH', `contracts/${id}/`, { descripcion: 'GONE' })
    ])
    const isUnavailable = (response: Awaited<ReturnType<typeof director.get>>) => {
      t.equal(response.statusCode, 503)
      t.match(response.headers['retry-after'], /^\d+$/)
      t.same(Object.keys(response.json()).sort(), ['code', 'detail'])
      t.equal(response.json().code, 'unavailable')
    }
    for (const response of await everything()) t.ok(response.statusCode < 300)
    await psql("update contracts set folio = 'BEFORE' where folio = 'GONE'")
    await cut()
    for (let round = 0; round < 3; round++) for (const response of await everything()) isUnavailable(response)
    await mend()
    t.same((await everything()).map(({ statusCode }) => statusCode), [200, 200, 200, 201, 200])
    t.same(await psql("select count(*) as rows from contracts where folio = 'GONE'"), [{ rows: 1 }])
  })

  t.test('a connection that breaks during a unit of work costs its request a 503, and the unit is rolled back', async (t) => {
    const { env, psql } = await openTestDatabase(t)
    const app = await buildOn(t, await openDatabase(loadConfig({ ...env, DATABASE_POOL: '4' }), 'refuse', patientCheck()))
    const director = await logIn(app, 'director@demo.example')
    const [{ id, version }] = (await director.get('contracts/?page_size=1')).json().results
    const blocker = await openSession(t, env)
    // More attempts than connections, because each broken one is replaced.
    for (let round = 0; round < 6; round++) {
      await blocker.query('begin')
      await blocker.query('select from company_revisions for update')
      const progress = { over: false }
      const write = (round % 2 === 0
        ? director.post('contracts/bulk/', { items: [{ folio: 'CORTADO' }] }, { 'idempotency-key': `cut ${round}` })
        : director.send('PATCH', `contracts/${id}/`, { descripcion: 'CORTADO' })).finally(() => { progress.over = true })
      // The write polls for the lock; the connection breaks during a pause.
      while (!progress.over) await psql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
      const response = await write
      t.equal(response.statusCode, 503)
      t.equal(response.json().code, 'unavailable')
      await blocker.query('rollback')
    }
    t.match((await director.get(`contracts/${id}/`)).json(), { version })
    t.equal((await director.get('contracts/?folio=CORTADO')).json().count, 0)
    t.equal((await director.post('contracts/', { folio: 'CORTADO' })).statusCode, 201)
  })
}
