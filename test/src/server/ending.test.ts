import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { demoPassword } from '../../../src/demo/data.ts'
import { demoPlace, startServer } from '../../process.ts'

const body = JSON.stringify({ email: 'director@demo.example', password: demoPassword })

async function open (origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** Resolves when nobody takes connections there any more. */
async function refusesConnections (origin: string): Promise<void> {
  for (;;) {
    try {
      (await open(origin)).destroy()
    } catch {
      return
    }
  }
}

t.test('SIGTERM answers what is in flight and what still comes over its connection, takes no new one, and ends with 0', async (t) => {
  const running = await startServer(t, await demoPlace(t))
  const socket = await open(running.origin)
  socket.write(`POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  const [first] = await once(socket, 'data')
  t.match(String(first), 'HTTP/1.1 100 Continue', 'the server has the request')

  running.signal('SIGTERM')
  await refusesConnections(running.origin)
  const answer = text(socket)
  socket.write(`${body}GET /api/v1/me/ HTTP/1.1\r\nHost: obra\r\n\r\n`)
  const [, logIn = '', me = ''] = (await answer).split('HTTP/1.1 ')
  t.match(logIn, /^200 OK\r\n[\s\S]*\{"access":"[^"]+","refresh":"[^"]+"\}/)
  t.match(me, /^401 Unauthorized\r\n[\s\S]*connection: close\r\n[\s\S]*"code":"not_authenticated"/i)
  t.equal((await running.ended).code, 0)
})

t.test('a second signal ends it at once, whatever is in flight', async (t) => {
  const running = await startServer(t, await demoPlace(t))
  const socket = await open(running.origin)
  socket.on('error', () => {}) // it is cut
  socket.write(`POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  await once(socket, 'data')
  running.signal('SIGTERM')
  await refusesConnections(running.origin)
  t.equal(await Promise.race([running.ended, Promise.resolve('it waits')]), 'it waits')
  running.signal('SIGTERM')
  t.equal((await running.ended).code, 1)
  t.equal(socket.bytesRead, 'HTTP/1.1 100 Continue\r\n\r\n'.length, 'the request was never whole, and has no answer')
})
