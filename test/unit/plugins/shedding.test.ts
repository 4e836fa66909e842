import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { buildOn, openTestDatabase } from '../../support/helper.ts'

const ask = (path: string, language = 'en') => `GET ${path} HTTP/1.1\r\nHost: obra.example\r\nAccept-Language: ${language}\r\n\r\n`
const begin = (language: string) => `POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra.example\r\nAccept-Language: ${language}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`

/** A connection, and everything received over it. */
interface Line {
  socket: Socket
  language: string
  received: string
}

const statusesOf = ({ received }: Line) => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
const until = async (holds: () => boolean, meanwhile = () => {}) => {
  for (const late = performance.now() + 60_000; !holds();) {
    if (performance.now() > late) throw new Error(`timed out waiting for: ${holds.toString()}`)
    meanwhile()
    await nextRound()
  }
}
const neverNotified = new Int32Array(new SharedArrayBuffer(4))
/** Blocks the event loop for 200 ms, without the CPU time of a busy loop. */
const lag = () => { Atomics.wait(neverNotified, 0, 0, 200) }

t.test('while the event loop lags, excess requests are refused immediately, probes are answered, and refused connections pause', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = await buildOn(t, database)
  const lines: string[] = []
  app.log.warn = (...parts: unknown[]) => { lines.push(JSON.stringify(parts)) }
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Times at which the server started each request, by client port. */
  const startedAt = new Map<number, number[]>()
  app.server.prependListener('request', ({ socket: { remotePort = 0 } }) => startedAt.set(remotePort, [...startedAt.get(remotePort) ?? [], performance.now()]))

  async function open (language = 'en'): Promise<Line> {
    const socket = connect({ port, host: '127.0.0.1' })
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    const line = { socket, language, received: '' }
    socket.setEncoding('utf8').on('data', (text: string) => { line.received += text })
    return line
  }
  const crowd = await Promise.all(Array.from({ length: 600 }, async (_, index) => await open(index % 2 === 0 ? 'en' : 'es')))
  const [probes, first] = [[await open(), await open()], await open()]
  // The server accepts one waiting connection in each round of its event loop.
  const taken = promisify(app.server.getConnections.bind(app.server))
  while (await taken() < 603) await nextRound()

  await until(() => app.isUnderPressure(), lag)
  // The process measures its pace after the first answer under pressure.
  first.socket.write(ask('/api/v1/me/'))
  await until(() => first.received !== '', lag)
  // Almost nothing is answered, so the minimum is admitted. Their requests stay incomplete until the test finishes them.
  for (const { socket, language } of crowd) socket.write(begin(language))
  for (const [index, { socket }] of probes.entries()) socket.write(ask(index === 0 ? '/health/live/' : '/health/ready/'))
  const refused = () => crowd.filter(({ received }) => received.endsWith('}'))
  await until(() => refused().length >= 100, lag)
  // Whether the process is ready depends on how fast the database is. An answer that is shed has no checks.
  await until(() => probes[0].received !== '' && probes[1].received.includes('"checks":'))

  t.strictSame(statusesOf(probes[0]), [200])
  t.equal(refused().length, 600 - 500)
  for (const language of ['en', 'es']) {
    const [head = '', body = ''] = refused().find(line => line.language === language)?.received.split('\r\n\r\n') ?? []
    for (const part of [/^HTTP\/1.1 503 /, /^retry-after: 1\r$/m, /^content-type: application\/json; charset=utf-8\r$/m, /^x-request-id: .+\r$/m, /^x-content-type-options: nosniff\r$/m]) t.match(head, part)
    t.match(head, new RegExp(`^content-language: ${language}\\r$`, 'm'))
    t.match(head, /^vary: Accept-Language\r$/m)
    const detail = { en: 'Service temporarily unavailable, try again later.', es: 'Servicio no disponible temporalmente, inténtelo más tarde.' }[language]
    t.strictSame(JSON.parse(body), { detail, code: 'unavailable' })
  }
  t.strictSame(lines, ['[{"refused":1},"overloaded, requests were refused"]'], 'the log has one line, not one per request')

  const [impatient] = refused() as [Line]
  const admitted = crowd.filter(({ received }) => received === '')
  for (const { socket } of [impatient, ...admitted]) socket.write('{}')
  await until(() => admitted.every(({ received }) => received !== ''))
  impatient.socket.write(ask('/api/v1/me/'))
  await until(() => !app.isUnderPressure())
  t.ok(admitted.every(line => statusesOf(line)[0] === 400), 'admitted requests are answered normally')

  const newcomer = await open()
  newcomer.socket.write(ask('/api/v1/me/'))
  await until(() => newcomer.received !== '')
  await until(() => statusesOf(impatient).length > 1)
  t.strictSame([statusesOf(newcomer), statusesOf(impatient)], [[401], [503, 401]])
  // Measured on the server: a slow machine can only lengthen the interval.
  const [early = 0, late = 0] = startedAt.get(impatient.socket.localPort ?? 0) ?? []
  t.ok(late - early >= 950, `an immediate retry is read after the Retry-After time: ${late - early} ms`)
})

t.test('a disconnected client no longer counts', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = await buildOn(t, database)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const taken = promisify(app.server.getConnections.bind(app.server))
  let begun = 0
  app.server.on('request', () => { begun++ })

  const gone = Array.from({ length: 600 }, () => connect({ port, host: '127.0.0.1' }))
  for (const socket of gone) socket.write(begin('en'))
  await until(() => begun === 600)
  for (const socket of gone) socket.destroy()
  while (await taken() > 0) await nextRound()

  const socket = connect({ port, host: '127.0.0.1' })
  t.teardown(() => socket.destroy())
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => { received += text })
  for (let answers = 1; answers <= 3; answers++) {
    // Pressure lasts until each request is answered.
    await until(() => app.isUnderPressure(), lag)
    socket.write(ask('/api/v1/me/'))
    await until(() => received.split('HTTP/1.1 ').length > answers, lag)
  }
  t.strictSame([...new Set(received.match(/HTTP\/1\.1 \d+/g))], ['HTTP/1.1 401'])
})
