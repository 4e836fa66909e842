import { mock } from 'node:test'
import t from 'tap'
import type { Sql } from '../../../../src/database/connection/sql.ts'
import { buildWith } from '../../../support/extra-routes.ts'
import { buildOn } from '../../../support/helper.ts'

const well = { database: 'ok', migrations: 'ok', serving: 'ok' }

t.test('health', async (t) => {
  let whileDraining: unknown
  const { app, database, psql } = await buildWith(t, app => {
    app.addHook('preClose', async () => { whileDraining = await app.readiness() })
  })
  /** A server without cached results, whose statements may fail. */
  const another = async (query = database.sql.query) => await buildOn(t, { ...database, sql: { ...database.sql, query } satisfies Sql, close: async () => {} })

  await t.test('live/ answers without token or database', async (t) => {
    const offline = await another(async () => { throw new Error('no database') })
    for (const url of ['/health/live/', '/health/live']) {
      const response = await offline.inject({ url, headers: { accept: '*/*', 'user-agent': 'kube-probe/1.31' } })
      t.equal(response.statusCode, 200)
      t.equal(response.headers['cache-control'], 'no-store')
      t.strictSame(response.json(), { status: 'ok' })
    }
    t.equal((await offline.inject({ method: 'HEAD', url: '/health/live/' })).statusCode, 200)
  })

  await t.test('ready/ reports ready, with one query for concurrent requests', async (t) => {
    let queries = 0
    const counting = await another(async (statement) => { queries++; return await database.sql.query(statement) })
    const responses = await Promise.all(Array.from({ length: 50 }, async () => await counting.inject('/health/ready/')))
    for (const response of responses) {
      t.strictSame(response.json(), { status: 'ok', checks: well })
      t.equal(response.statusCode, 200)
      t.equal(response.headers['cache-control'], 'no-store')
    }
    t.equal(queries, 1)
  })

  await t.test('a migration of this code has not run', async (t) => {
    await psql("delete from mikro_orm_migrations where name = '61-substitution'")
    const response = await (await another()).inject('/health/ready/')
    await psql("insert into mikro_orm_migrations (name) values ('61-substitution')")
    t.equal(response.statusCode, 503)
    t.equal(response.headers['retry-after'], '1')
    t.equal(response.headers['cache-control'], 'no-store')
    t.strictSame(response.json(), { status: 'unavailable', checks: { ...well, migrations: 'failed' } })
  })

  await t.test('the database fails, and its message is not shown', async (t) => {
    const response = await (await another(async () => { throw new Error('password authentication failed for user "obra"') })).inject('/health/ready/')
    t.equal(response.statusCode, 503)
    t.equal(response.headers['retry-after'], '1')
    t.strictSame(response.json(), { status: 'unavailable', checks: { ...well, database: 'failed', migrations: 'failed' } })
  })

  await t.test('the database hangs: the answer comes in time, and the next probe sends no query', async (t) => {
    let queries = 0
    const hanging = await another(async () => { queries++; return await new Promise(() => {}) })
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      for (let probe = 0; probe < 2; probe++) {
        const answer = hanging.readiness()
        mock.timers.tick(2000)
        t.strictSame(await answer, { ...well, database: 'failed', migrations: 'failed' })
      }
    } finally {
      mock.timers.reset()
    }
    t.equal(queries, 1)
  })

  await t.test('while the process drains it is not ready', async (t) => {
    t.equal((await app.inject('/health/ready/')).statusCode, 200)
    await app.close()
    t.strictSame(whileDraining, { ...well, serving: 'failed' })
  })
})
