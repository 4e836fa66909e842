import { connect } from 'node:net'
import { Redis } from 'ioredis'
import t from 'tap'
import { tryRedis } from '../../../../src/limits/redis.ts'
import { buildOn, logIn, openTestDatabase, secret } from '../../../support/helper.ts'
import { passedOver } from '../../../support/missing.ts'
import { call } from '../../../support/over-http.ts'
import { newFolder, startServer } from '../../../support/process.ts'
import { server as postgres } from '../../../support/template.ts'
import { tunnel } from '../../../support/tunnel.ts'
import { until } from '../../../support/until.ts'

const port = 6379
const away = passedOver(await new Promise<string | false>(resolve => {
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => { socket.destroy(); resolve(false) })
  socket.once('error', () => resolve('no Redis answers on 127.0.0.1:6379'))
}))

/** A Redis database of this test only; it is emptied before and after. Without a timeout of commands: after 500 ms, a server would count separately. */
const url = `redis://127.0.0.1:${port}/15?commandTimeout=none`

t.test('an attempt finds that Redis can be used, and that it refuses a log-in', { skip: away }, async (t) => {
  const { signal } = new AbortController()
  await t.resolves(tryRedis(url, signal))
  await t.rejects(tryRedis(url.replace('//', '//nobody:secreto@'), signal), { message: /WRONGPASS/ })
})

t.test('with REDIS_URL two servers share counts, count separately while Redis is down, and share again', { skip: away }, async (t) => {
  const admin = new Redis(url)
  const way = await tunnel(t, url)
  t.teardown(async () => {
    await admin.flushdb()
    await admin.quit()
  })
  await admin.flushdb()
  const fresh = await openTestDatabase(t)
  const database = { ...fresh.database, close: async () => {} }
  const config = { REDIS_URL: way.url, LOGIN_FAILURES_PER_ACCOUNT: 2, LOGIN_FAILURES_PER_ADDRESS: 4, LOGIN_ATTEMPTS_PER_ADDRESS: 12, API_REQUESTS_PER_MINUTE: 1_000_000 }
  const [here, there] = [await buildOn(t, database, config), await buildOn(t, database, config)]
  const attempt = async (app: typeof here, email: string, password: string, remoteAddress = '127.0.0.1') => (await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email, password }, remoteAddress })).statusCode

  const [client, other] = [await logIn(here, 'coordinador@demo.example'), await logIn(there, 'coordinador@demo.example')]
  const remaining = async ({ get }: typeof client) => Number((await get('me/')).headers['ratelimit-remaining'])
  await remaining(other)
  for (let time = 1; time <= 5; time++) await remaining(client)
  await until(async () => await remaining(other) <= 999_990)
  t.pass('the requests of the other server count')

  t.strictSame([await attempt(here, 'director@demo.example', 'wrong'), await attempt(there, 'director@demo.example', 'wrong')], [401, 401])
  t.strictSame([await attempt(here, 'director@demo.example', 'demo-obra-1'), await attempt(there, 'director@demo.example', 'demo-obra-1')], [429, 429])

  const nat = '198.51.100.1'
  t.equal(await attempt(here, 'auxiliar@demo.example', 'demo-obra-1', nat), 200)
  for (const [index, server] of [here, there, here, there].entries()) t.equal(await attempt(server, `somebody-${index}@demo.example`, 'wrong', nat), 401)
  t.strictSame([await attempt(here, 'coordinador@demo.example', 'demo-obra-1', nat), await attempt(there, 'coordinador@demo.example', 'demo-obra-1', nat)], [429, 429], 'the failures of an address at many accounts')
  t.equal(await attempt(there, 'auxiliar@demo.example', 'demo-obra-1', nat), 200, 'an address known to one server is known to the other')
  t.strictSame((await admin.keys('*')).filter(key => key.includes('@')), [], 'no email is stored')
  const ttls = await Promise.all((await admin.keys('*')).map(async key => await admin.pttl(key)))
  t.ok(ttls.length > 0 && ttls.every(ttl => ttl > 0), 'every key expires')

  await way.cut()
  t.strictSame([await attempt(here, 'director@demo.example', 'demo-obra-1'), (await client.get('me/')).statusCode], [200, 200], 'without Redis log-ins work')
  t.strictSame([await attempt(here, 'auxiliar@demo.example', 'wrong'), await attempt(here, 'auxiliar@demo.example', 'wrong'), await attempt(here, 'auxiliar@demo.example', 'demo-obra-1')], [401, 401, 429], 'and failures are counted locally')
  await way.mend()
  await until(async () => await attempt(here, 'director@demo.example', 'demo-obra-1') === 429)
  t.pass('when Redis is back, its counts apply')
})

t.test('failed log-ins of one process count at another', { skip: away || (postgres === undefined && 'the embedded database admits one process') }, async (t) => {
  const admin = new Redis(url)
  t.teardown(async () => {
    await admin.flushdb()
    await admin.quit()
  })
  await admin.flushdb()
  const { database, env } = await openTestDatabase(t)
  const here = await buildOn(t, { ...database, close: async () => {} }, { REDIS_URL: url, LOGIN_FAILURES_PER_ACCOUNT: 2 })
  const there = await startServer(t, { ...newFolder(t), env }, { REDIS_URL: url, LOGIN_FAILURES_PER_ACCOUNT: '2', JWT_SECRET: secret })
  const atHere = async (password: string) => (await here.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'director@demo.example', password } })).statusCode
  const atThere = async (password: string) => (await call(there.origin, 'POST', 'api-token-auth/', { body: { email: 'director@demo.example', password } })).status

  t.equal(await atHere('wrong'), 401)
  t.equal(await atThere('wrong'), 401)
  t.strictSame([await atHere('demo-obra-1'), await atThere('demo-obra-1')], [429, 429])
})
