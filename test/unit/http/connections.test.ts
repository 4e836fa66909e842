import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { Config } from '../../../src/config.ts'
import { build } from '../../support/helper.ts'
import { until } from '../../support/until.ts'

async function listening (t: Test, overrides: Partial<Config> = {}) {
  const server = await build(t, { RATE_LIMIT: 'off', ...overrides })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const open = () => {
    const socket = connect((server.app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    return socket
  }
  return { ...server, open }
}

const live = 'GET /health/live/ HTTP/1.1\r\nHost: a\r\n\r\n'
const last = live.replace('Host', 'Connection: close\r\nHost')

t.test('a connection has at most 20 concurrent requests; it closes after the last one and drops later ones', async (t) => {
  const { as, open, psql } = await listening(t)
  const { access } = await as('director@demo.example')
  const body = '{"folio":"BEHIND"}'
  const create = `POST /api/v1/contracts/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${access}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  for (const behind of [live.repeat(3000), create, live.repeat(50) + create]) {
    const socket = open()
    socket.write(live.repeat(20) + behind)
    const answers = (await text(socket)).split('HTTP/1.1 ').slice(1)
    t.equal(answers.length, 20)
    t.ok(answers.every(answer => answer.startsWith('200 ')))
    t.strictSame(answers.map(answer => /^connection: close\r$/mi.test(answer)), [...Array(19).fill(false), true])
  }
  t.strictSame(await psql("select from contracts where folio = 'BEHIND'"), [])

  const socket = open()
  socket.write(live.repeat(10) + create.replace('BEHIND', 'AMONG!') + last)
  t.strictSame([...(await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status), [...Array(10).fill('200'), '201', '200'], 'fewer requests are all answered')
})

t.test('a connection may have any number of requests, one after the other', async (t) => {
  const { open } = await listening(t)
  const socket = open().setEncoding('utf8')
  for (let time = 1; time <= 150; time++) {
    socket.write(live)
    const [answer] = await once(socket, 'data') as [string]
    t.match(answer, /^HTTP\/1\.1 200 /)
  }
})

t.test('a process has at most MAX_CONNECTIONS; one more gets 503, except for a health probe, until another ends', async (t) => {
  const { as, open } = await listening(t, { MAX_CONNECTIONS: 2, CUSTOMER_CONNECTIONS_PERCENT: 100 })
  const { access } = await as('director@demo.example')
  const stream = `GET /api/v1/changes/events/ HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${access}\r\n\r\n`
  const page = live.replace('/health/live/', '/docs/')
  const [first, second] = [open(), open()]
  for (const socket of [first, second]) {
    socket.write(stream)
    await once(socket, 'data')
  }
  for (const path of ['live', 'ready']) {
    const probe = open()
    probe.write(live.replace('live', path))
    t.match(await text(probe), /^HTTP\/1\.1 200 .*connection: close\r\n/s, path)
  }
  const third = open()
  third.write(page)
  t.match(await text(third), /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"code":"unavailable"/s)

  first.destroy()
  await until(async () => {
    const fourth = open()
    fourth.write(page)
    const [answer] = await once(fourth, 'data')
    fourth.destroy()
    return String(answer).startsWith('HTTP/1.1 200 ')
  })
})

t.test('a client that disconnects in the middle of a body causes no error in the log', async (t) => {
  const { app, open } = await listening(t)
  const lines: unknown[] = []
  app.log.error = (...parts: unknown[]) => { lines.push(parts) }
  const closed = new Promise<void>(resolve => app.server.once('request', (_request, response) => response.once('close', resolve)))
  const socket = open()
  socket.write('POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{', () => setTimeout(() => socket.destroy(), 200))
  await closed
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame(lines, [])
})
