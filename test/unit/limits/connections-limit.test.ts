import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { until } from '../../support/until.ts'
import { limitConnections } from '../../../src/limits/connections.ts'

/** A server with a limit, whose requests to `/held` are answered by `release`. */
async function limited (t: Test, most: number, grace: number) {
  const app = Fastify({ forceCloseConnections: true })
  const held: Array<() => void> = []
  limitConnections(app, most, ({ url }) => url === '/probe', grace)
  app.get('/', async () => 'answered')
  app.get('/probe', async () => 'alive')
  app.get('/held', async () => { await new Promise<void>((resolve) => { held.push(resolve) }) })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    for (const release of held) release()
    await app.close()
  })
  const open = async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {}).resume()
    t.teardown(() => socket.destroy())
    await once(app.server, 'connection')
    return socket
  }
  const hold = async () => {
    const socket = await open()
    const before = held.length
    socket.write(get('/held'))
    while (held.length === before) await new Promise(resolve => setImmediate(resolve))
    return socket
  }
  return { app, open, hold }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

async function answerTo (socket: Socket, path: string): Promise<string> {
  socket.write(get(path))
  return String((await once(socket, 'data'))[0])
}

t.test('a new connection takes the place of the one that has been idle longest, even if that one has sent no request', async (t) => {
  const { open, hold } = await limited(t, 3, 0)
  const busy = await hold()
  const [used, silent] = [await open(), await open()]
  t.match(await answerTo(used, '/'), /answered$/)
  const newer = await open()
  await until(() => silent.closed)
  t.match(await answerTo(newer, '/'), /answered$/)
  const newest = await open()
  await until(() => used.closed)
  t.match(await answerTo(newest, '/'), /answered$/)
  t.match(await answerTo(newer, '/'), /answered$/, 'the connection stays open')
  t.notOk(busy.closed, 'a request in progress is not disturbed')
})

t.test('if every connection is busy or was so just now, probes are answered and other requests get 503', async (t) => {
  const { open, hold } = await limited(t, 2, 60_000)
  await hold()
  const idle = await open()
  t.match(await answerTo(idle, '/'), /answered$/)
  for (const [path, status] of [['/probe', 200], ['/', 503], ['/probe', 200]] as const) {
    const socket = await open()
    socket.write(get(path))
    t.match(await text(socket), new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 's'))
  }
  t.match(await answerTo(idle, '/'), /answered$/)
})

t.test('connections that send nothing do not keep a probe from its answer', async (t) => {
  const { open, hold } = await limited(t, 1, 60_000)
  await hold()
  const silent: Socket[] = []
  for (let number = 0; number < 200; number++) silent.push(await open())
  const probe = await open()
  probe.write(get('/probe'))
  t.match(await text(probe), /alive$/)
  await until(() => silent[0].closed)
})

t.test('connections of a second server of Fastify count from their first request on, until they close', async (t) => {
  const { app, open } = await limited(t, 2, 0)
  const second = createServer((request, response) => { app.routing(request, response) }).listen(0, '127.0.0.1')
  t.teardown(() => second.close())
  await once(second, 'listening')
  const { port } = second.address() as AddressInfo
  const other = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {}).resume()
    t.teardown(() => socket.destroy())
    return socket
  }
  for (let round = 0; round < 3; round++) {
    const [one, two] = [other(), other()]
    t.match(await answerTo(one, '/'), /answered$/)
    t.match(await answerTo(two, '/'), /answered$/)
    const three = await open()
    await until(() => one.closed)
    t.match(await answerTo(three, '/'), /answered$/, 'it takes the place of the one that has been idle longest')
    two.destroy()
    three.destroy()
    await until(() => two.closed && three.closed)
  }
  const socket = other()
  socket.write(get('/held'))
  const held = await open()
  const third = await open()
  await until(() => held.closed)
  t.match(await answerTo(third, '/'), /answered$/, 'a request in progress is not disturbed')
  t.notOk(socket.closed)
})
