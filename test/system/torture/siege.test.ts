import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { buildOn, openTestDatabase } from '../../support/helper.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { holdConnections } from './siege.ts'

t.test('idle connections and unfinished requests do not block other callers; unfinished requests are closed', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = await buildOn(t, database)
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = app.server
  t.strictSame({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }, { headersTimeout: 15_000, requestTimeout: 60_000, timeout: 60_000, keepAliveTimeout: 72_000 })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const { access } = await tokensOf(origin, 'director@demo.example', demoPassword)

  const { held, closed, answers } = await holdConnections(origin, { idle: 200, slow: 200 }, async (siege) => {
    for (let time = 1; time <= 20; time++) t.equal((await call(origin, 'GET', 'contracts/', { token: access })).status, 200)
    app.server.headersTimeout = 300
    while (siege.closed < 200) await sleep(20)
    app.server.headersTimeout = headersTimeout
    t.equal((await call(origin, 'GET', 'contracts/', { token: access })).status, 200)
  })
  t.strictSame({ held, closed, answers: [...answers] }, { held: 400, closed: 200, answers: ['HTTP/1.1 408 Request Timeout'] })
})

t.test('a refused connection, or one closed without an answer, does not count as held', async (t) => {
  let requests = 0
  const server = createServer(socket => socket.once('data', () => socket.end(++requests % 2 === 0 ? '' : 'HTTP/1.1 503 Service Unavailable\r\n\r\n')))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { held } = await holdConnections(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { idle: 4, slow: 0 }, async () => {})
  t.equal(held, 0)
})
