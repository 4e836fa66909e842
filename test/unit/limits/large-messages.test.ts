import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { boundLargeMessages, HeldBytes } from '../../../src/limits/connections.ts'
import { Crowded } from '../../../src/database/turns/crowded.ts'

const MiB = 2 ** 20

t.test('a caller may hold 32 MiB, all callers 256 MiB; a single message may be larger', (t) => {
  const held = new HeldBytes<number>()
  t.ok(held.hasRoom(1, 300 * MiB))
  const ends = [held.hold(1, 16 * MiB), held.hold(1, 16 * MiB)]
  t.notOk(held.hasRoom(1, 1))
  t.ok(held.hasRoom(2, 64 * MiB), 'another caller has room')
  ends.pop()?.()
  t.ok(held.hasRoom(1, 16 * MiB))
  t.notOk(held.hasRoom(1, 16 * MiB + 1))
  for (let caller = 2; caller <= 8; caller++) ends.push(held.hold(caller, 32 * MiB))
  t.ok(held.hasRoom(1, 16 * MiB))
  ends.push(held.hold(9, 16 * MiB))
  t.notOk(held.hasRoom(1, 1), 'the process is at its limit')
  for (const end of ends) end()
  t.ok(held.hasRoom(1, 300 * MiB))
  t.end()
})

t.test('over sockets', async (t) => {
  const app = Fastify({ forceCloseConnections: true })
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request) => { request.caller = { user: Number(request.headers['x-user']), sid: '', level: null, customer: null } })
  boundLargeMessages(app)
  app.setErrorHandler(async (error, _request, reply) => { reply.code(error instanceof Crowded ? 503 : 400).send('') })
  app.get('/large', async (_request, reply) => await reply.header('etag', '"1"').send('x'.repeat(20 * MiB)))
  app.get('/wide', async () => '€'.repeat(6 * MiB))
  app.get('/small', async () => 'x')
  app.post('/large', async (_request, reply) => await reply.send('x'.repeat(20 * MiB)))
  app.post('/body', { bodyLimit: 20 * MiB }, async () => 'x')
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => await app.close())
  const { port } = app.server.address() as AddressInfo
  const begun = async (line: string, headers = '') => {
    const socket = connect(port, '127.0.0.1').on('error', () => {}).pause()
    const taken = once(app.server, 'request') as Promise<[unknown, ServerResponse]>
    socket.write(`${line} HTTP/1.1\r\nHost: a\r\nX-User: 1\r\n${headers}\r\n`)
    const [, response] = await taken
    return { socket, closed: once(response, 'close') }
  }
  const ended = async ({ socket, closed }: Awaited<ReturnType<typeof begun>>) => {
    socket.destroy()
    await closed
  }
  const ask = async (path: string, user: number, body?: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: body === undefined ? 'GET' : 'POST', headers: { 'x-user': String(user), 'content-type': 'text/plain' }, body })
    await response.text()
    return response
  }
  const text = 'Content-Type: text/plain\r\n'

  await t.test('a slow body counts with its declared length, or with the route\'s limit if chunked', async (t) => {
    for (const framing of [`Content-Length: ${20 * MiB}`, 'Transfer-Encoding: chunked']) {
      const slow = await begun('POST /body', `${text}${framing}\r\n`)
      t.equal((await ask('/body', 1, 'x'.repeat(13 * MiB))).status, 503, framing)
      t.strictSame([(await ask('/body', 1, 'x'.repeat(60_000))).status, (await ask('/body', 2, 'x'.repeat(13 * MiB))).status], [200, 200], 'small bodies and other callers have room')
      await ended(slow)
      t.equal((await ask('/body', 1, 'x'.repeat(13 * MiB))).status, 200, 'the memory is released')
    }
    await (await begun('POST /body', `${text}Content-Length: ${999 * MiB}\r\n`)).closed
    t.equal((await ask('/body', 1, 'x'.repeat(13 * MiB))).status, 200, 'a body refused for its length holds no memory')
  })

  await t.test('an unread answer counts with its size; beyond the limit only GET is refused', async (t) => {
    const slow = await begun('GET /large')
    const refused = await ask('/large', 1)
    t.strictSame([refused.status, refused.headers.get('etag')], [503, null])
    t.strictSame([(await ask('/small', 1)).status, (await ask('/large', 2)).status], [200, 200])
    t.equal((await ask('/large', 1, 'x')).status, 200, 'writes are answered')
    await ended(slow)
    t.equal((await ask('/large', 1)).status, 200)
  })

  await t.test('text counts with its bytes in UTF-8', async (t) => {
    const slow = await begun('GET /wide')
    t.equal((await ask('/wide', 1)).status, 503, 'twice 18 MiB')
    await ended(slow)
    t.equal((await ask('/wide', 1)).status, 200)
  })
})

t.test('a large answer that is not read in time ends its connection', async (t) => {
  const app = Fastify({ forceCloseConnections: true })
  app.decorateRequest('caller')
  boundLargeMessages(app, 1000)
  app.get('/large', async () => 'x'.repeat(20 * MiB))
  app.get('/read', async () => 'x'.repeat(MiB))
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => await app.close())
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => {}).pause()
  t.teardown(() => socket.destroy())
  const taken = once(app.server, 'request') as Promise<[unknown, ServerResponse]>
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  const [, response] = await taken
  await once(response, 'close')
  t.equal(response.writableFinished, false, 'the answer was cut off')

  const read = await fetch(`http://127.0.0.1:${port}/read`)
  t.equal((await read.text()).length, MiB)
  await new Promise(resolve => setTimeout(resolve, 1100))
  t.equal((await (await fetch(`http://127.0.0.1:${port}/read`)).text()).length, MiB, 'a connection whose answer was read stays open')
})
