import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { drainTime } from '../../../src/server/serve.ts'
import { demoPlace, startServer } from '../../support/process.ts'

const body = JSON.stringify({ email: 'director@demo.example', password: demoPassword })

async function open (origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Resolves when the server refuses connections. */
async function refusesConnections (origin: string): Promise<void> {
  for (;;) {
    try {
      (await open(origin)).destroy()
    } catch {
      return
    }
  }
}

/** Sends the headers of a log-in without its body; resolves when the server has received them. */
async function begin (socket: Socket): Promise<string> {
  socket.write(`POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  return String((await once(socket, 'data'))[0])
}

t.test('after a signal that arrives twice, requests on open connections are answered, new connections are refused, and the process ends with 0', async (t) => {
  const running = await startServer(t, await demoPlace(t))
  const socket = await open(running.origin)
  t.match(await begin(socket), 'HTTP/1.1 100 Continue', 'the server has the request')

  running.signal('SIGINT')
  await refusesConnections(running.origin)
  running.signal('SIGINT')
  const answer = text(socket)
  socket.write(`${body}GET /api/v1/me/ HTTP/1.1\r\nHost: obra\r\n\r\n`)
  const [, logIn = '', me = ''] = (await answer).split('HTTP/1.1 ')
  t.match(logIn, /^200 OK\r\n[\s\S]*\{"access":"[^"]+","refresh":"[^"]+"\}/)
  t.match(me, /^401 Unauthorized\r\n[\s\S]*connection: close\r\n[\s\S]*"code":"not_authenticated"/i)
  t.equal((await running.ended).code, 0)
})

t.test('a later signal ends the process immediately, also during a request', async (t) => {
  const running = await startServer(t, await demoPlace(t))
  const socket = await open(running.origin)
  socket.on('error', () => {}) // the connection is cut
  await begin(socket)
  running.signal('SIGTERM')
  await refusesConnections(running.origin)
  t.equal(await Promise.race([running.ended, Promise.resolve('it waits')]), 'it waits')
  const further = setInterval(() => { running.signal('SIGTERM') }, 100)
  t.teardown(() => { clearInterval(further) })
  t.equal((await running.ended).code, 1)
  t.equal(socket.bytesRead, 'HTTP/1.1 100 Continue\r\n\r\n'.length, 'the incomplete request has no answer')
})

t.test('if a request does not end within the drain time, the process ends with 1', async (t) => {
  t.equal(drainTime, 10_000, 'the default, in milliseconds')
  const place = await demoPlace(t)
  const running = await startServer(t, place, { NODE_ENV: 'production', DATABASE_URL: place.env['DATABASE_URL'] ?? 'embedded', JWT_SECRET: 'a key of the tests for production, long enough' }, ['test/unit/server/brief.ts'])
  const socket = await open(running.origin)
  socket.on('error', () => {}) // the connection is cut
  await begin(socket)
  const sent = performance.now()
  running.signal('SIGTERM')
  const { code, stdout } = await running.ended
  t.equal(code, 1)
  t.ok(performance.now() - sent > 290, 'the process waited for the request')
  t.match(stdout, 'killed by timeout (300ms)')
  t.equal(socket.bytesRead, 'HTTP/1.1 100 Continue\r\n\r\n'.length, 'the request has no answer')
})
