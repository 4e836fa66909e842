import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { altered, expired } from '../../../support/forge.ts'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { build, buildOn, logIn, openTestDatabase } from '../../../support/helper.ts'

/** Stops the clock, because counts begin again every minute. */
function stopClock (t: Test): void {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
}

const throttled = /^Request was throttled\. Expected available in \d+ seconds?\.$/

t.test('all requests without a live session are limited by address; requests with one never are', async (t) => {
  stopClock(t)
  const { app, as } = await build(t, { UNAUTHENTICATED_REQUESTS_PER_MINUTE: 9, API_REQUESTS_PER_MINUTE: 1000 })
  const [owner, gone] = [await as('director@demo.example', demoPassword), await as('director@demo.example', demoPassword)] // two of the nine: log-ins are unauthenticated
  t.equal((await owner.post('api-token-revoke/', { refresh: gone.refresh })).statusCode, 204)
  const ask = async (authorization?: string, { url = '/api/v1/me/', remoteAddress = '127.0.0.1', method = 'GET' } = {}) =>
    await app.inject({ method, url, remoteAddress, headers: authorization === undefined ? {} : { authorization } })

  const kinds = [undefined, 'Bearer', 'Bearer rubbish', `Bearer ${altered(owner.access, { jti: 'x' })}`, `Bearer ${expired(owner.access)}`, `Bearer ${gone.access}`, `Bearer ${gone.access}`]
  for (const kind of kinds) t.equal((await ask(kind)).statusCode, 401, String(kind))
  for (const kind of kinds) {
    const refused = await ask(kind)
    t.equal(refused.statusCode, 429, String(kind))
    t.match(refused.json(), { detail: throttled, code: 'throttled' })
    const seconds = Number(refused.headers['retry-after'])
    t.ok(seconds >= 1 && seconds <= 60)
  }
  t.equal((await ask(undefined, { url: '/api/v1/nothing/' })).statusCode, 429, 'also at unknown addresses')
  for (const url of ['/openapi.json', '/docs/', '/example/']) t.equal((await ask(undefined, { url })).statusCode, 429, url)
  const logIn = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: '{', headers: { 'content-type': 'application/json' } })
  t.equal(logIn.statusCode, 429, 'a log-in, before its body is read')
  t.equal((await app.inject('/health/live/')).statusCode, 200)
  t.equal((await owner.get('me/')).statusCode, 200, 'a live session is not limited')

  t.equal((await ask(undefined, { remoteAddress: '127.0.0.2' })).statusCode, 401, 'another address is not limited')
  for (let host = 1; host <= 9; host++) t.equal((await ask(undefined, { remoteAddress: `2001:db8:1:2::${host}` })).statusCode, 401)
  t.equal((await ask(undefined, { remoteAddress: '2001:db8:1:2:ffff::1' })).statusCode, 429, 'one /64 network counts as one')
  t.equal((await ask(undefined, { remoteAddress: '2001:db8:1:3::1' })).statusCode, 401)
})

t.test('requests with a revoked or expired token do not use up the user\'s limit', async (t) => {
  stopClock(t)
  const { app, as } = await build(t, { API_REQUESTS_PER_MINUTE: 5 })
  const [owner, gone] = [await as('director@demo.example'), await as('director@demo.example')]
  t.equal((await owner.post('api-token-revoke/', { refresh: gone.refresh })).headers['ratelimit-remaining'], '4')
  for (let time = 1; time <= 20; time++) t.equal((await gone.get('me/')).statusCode, 401)
  const old = expired(owner.access)
  for (let time = 1; time <= 20; time++) {
    const response = await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh: 'x' }, headers: { authorization: `Bearer ${old}` } })
    t.match([response.statusCode, response.json()], [401, { code: 'token_not_valid' }])
    t.equal(response.headers['ratelimit-remaining'], undefined)
  }
  t.equal((await owner.get('me/')).headers['ratelimit-remaining'], '3')
})

t.test('an expired token is counted by address before the database is queried', async (t) => {
  stopClock(t)
  const { app, as } = await build(t, { UNAUTHENTICATED_REQUESTS_PER_MINUTE: 3 })
  const owner = await as('director@demo.example', demoPassword)
  const refresh = async (access: string) => await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh: owner.refresh }, headers: { authorization: `Bearer ${access}` } })
  const old = expired(owner.access)
  t.strictSame([(await refresh(old)).statusCode, (await refresh(old)).statusCode, (await refresh(old)).statusCode], [200, 200, 429])
  t.equal((await refresh(owner.access)).statusCode, 200, 'a live access token still refreshes')
})

t.test('an ended session is queried once, and a user at the limit never', async (t) => {
  stopClock(t)
  const { database } = await openTestDatabase(t)
  let queries = 0
  const query: typeof database.sql.query = async (statement) => {
    if (statement.name === 'states') queries++
    return await database.sql.query(statement)
  }
  const app = await buildOn(t, { ...database, sql: { ...database.sql, query }, close: async () => {} }, { API_REQUESTS_PER_MINUTE: 2 })
  const [owner, gone] = [await logIn(app, 'director@demo.example'), await logIn(app, 'director@demo.example')]
  await owner.post('api-token-revoke/', { refresh: gone.refresh })
  const before = queries
  for (let time = 1; time <= 50; time++) t.match((await gone.get('me/')).json(), { code: 'token_not_valid', messages: [{ message: 'Token is blacklisted' }] })
  t.equal(queries - before, 1)

  t.equal((await owner.get('me/')).statusCode, 200)
  const full = queries
  for (let time = 1; time <= 10; time++) t.equal((await owner.get('me/')).statusCode, 429)
  t.equal(queries, full)
})

t.test('RATE_LIMIT=off counts no address', async (t) => {
  const { app } = await build(t, { UNAUTHENTICATED_REQUESTS_PER_MINUTE: 1, RATE_LIMIT: 'off' })
  for (let time = 1; time <= 3; time++) t.equal((await app.inject('/api/v1/me/')).statusCode, 401)
})
