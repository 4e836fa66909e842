import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import t, { type Test } from 'tap'
import { boundLargeMessages, boundPipelines } from '../../../src/limits/connections.ts'
import shedding from '../../../plugins/shedding.ts'
import { Crowded } from '../../../src/database/turns/crowded.ts'

const MiB = 2 ** 20
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

/** A server whose route `/slow` answers when the test calls `answer`. */
async function listening (t: Test) {
  const app = Fastify({ forceCloseConnections: true })
  app.decorateRequest('messageLanguage', () => 'en')
  app.decorateRequest('caller')
  boundPipelines(app)
  await app.register(fp(async () => {}, { name: 'tracing' }))
  await app.register(shedding)
  boundLargeMessages(app)
  app.setErrorHandler(async (error, _request, reply) => { reply.code(error instanceof Crowded ? 503 : 400).send('') })
  const { promise, resolve: answer } = Promise.withResolvers<string>()
  app.get('/slow', async () => await promise)
  app.get('/fast', async () => 'x')
  app.get('/large', async () => 'x'.repeat(MiB))
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => await app.close())
  const received = { requests: 0 }
  app.server.on('request', () => { received.requests++ })
  const open = async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const status = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`)
    await response.text()
    return response.status
  }
  return { app, open, status, answer, received }
}

t.test('behind a slow request, requests beyond the limit are not parsed; the client gets 20 answers and a clean end', async (t) => {
  const { open, answer, received } = await listening(t)
  const socket = await open()
  const answers = text(socket)
  socket.write(get('/slow'))
  // Packets of different sizes: each can end inside a request.
  for (const times of [50, 3000, 1, 20_000]) {
    const packet = get('/fast').repeat(times)
    socket.write(packet.slice(0, -20))
    await sleep(20)
    if (!socket.write(packet.slice(-20))) await once(socket, 'drain')
  }
  await sleep(50)
  t.equal(received.requests, 21)
  answer('x')
  t.equal((await answers).split('HTTP/1.1 200').length, 1 + 20)
  t.equal(received.requests, 21)
})

t.test('a client that disconnects during pipelined requests leaves nothing counted', async (t) => {
  const { app, open, status, answer, received } = await listening(t)
  t.teardown(() => answer(''))
  const sockets = await Promise.all(Array.from({ length: 32 }, open))
  for (const socket of sockets) socket.write(get('/slow') + get('/large').repeat(18))
  while (received.requests < 32 * 19) await sleep(10)
  t.equal(await status('/large'), 503, 'unread answers take all of the memory')
  for (const socket of sockets) socket.destroy()
  while (app.server.connections > 1) await sleep(10)
  await sleep(50)
  t.equal(await status('/large'), 200)
  while (!app.isUnderPressure()) {
    for (const end = performance.now() + 200; performance.now() < end;);
    await sleep(0)
  }
  t.equal(await status('/fast'), 200)
})
