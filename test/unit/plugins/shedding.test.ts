import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { buildOn, openTestDatabase } from '../../support/helper.ts'

const ask = (path: string, language = 'en') => `GET ${path} HTTP/1.1\r\nHost: obra.example\r\nAccept-Language: ${language}\r\n\r\n`
const begin = (language: string) => `POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra.example\r\nAccept-Language: ${language}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`

/** A connection, and all that has come over it. */
interface Line {
  socket: Socket
  language: string
  said: string
}

const statusesOf = ({ said }: Line) => [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
const until = async (holds: () => boolean, meanwhile = () => {}) => {
  for (const late = performance.now() + 60_000; !holds();) {
    if (performance.now() > late) throw new Error(`still not: ${holds.toString()}`)
    meanwhile()
    await nextRound()
  }
}
const lag = () => { for (const end = performance.now() + 200; performance.now() < end;); }

t.test('while the event loop lags, requests beyond those that it answers in time are refused at once, probes are answered, and who is refused rests', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = await buildOn(t, database)
  const lines: string[] = []
  app.log.warn = (...parts: unknown[]) => { lines.push(JSON.stringify(parts)) }
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Moments at which the server came to requests, by the port that they came from. */
  const heard = new Map<number, number[]>()
  app.server.prependListener('request', ({ socket: { remotePort = 0 } }) => heard.set(remotePort, [...heard.get(remotePort) ?? [], performance.now()]))

  async function open (language = 'en'): Promise<Line> {
    const socket = connect({ port, host: '127.0.0.1' })
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    const line = { socket, language, said: '' }
    socket.setEncoding('utf8').on('data', (text: string) => { line.said += text })
    return line
  }
  const crowd = await Promise.all(Array.from({ length: 600 }, async (_, index) => await open(index % 2 === 0 ? 'en' : 'es')))
  const [probes, first] = [[await open(), await open()], await open()]
  // The server takes one of the waiting connections in each round of its event loop.
  const taken = promisify(app.server.getConnections.bind(app.server))
  while (await taken() < 603) await nextRound()

  await until(() => app.isUnderPressure(), lag)
  // From its first answer under pressure on the process finds out how little it comes to.
  first.socket.write(ask('/api/v1/me/'))
  await until(() => first.said !== '', lag)
  // Next to nothing is answered, so the fewest are let in; what they send is never whole until they are told.
  for (const { socket, language } of crowd) socket.write(begin(language))
  for (const [index, { socket }] of probes.entries()) socket.write(ask(index === 0 ? '/health/live/' : '/health/ready/'))
  const refused = () => crowd.filter(({ said }) => said.endsWith('}'))
  await until(() => refused().length >= 100, lag)
  await until(() => probes.every(({ said }) => said !== ''))

  t.strictSame(probes.map(statusesOf), [[200], [200]])
  t.equal(refused().length, 600 - 500)
  for (const language of ['en', 'es']) {
    const [head = '', body = ''] = refused().find(line => line.language === language)?.said.split('\r\n\r\n') ?? []
    for (const told of [/^HTTP\/1.1 503 /, /^retry-after: 1\r$/m, /^content-type: application\/json; charset=utf-8\r$/m, /^x-request-id: .+\r$/m, /^x-content-type-options: nosniff\r$/m]) t.match(head, told)
    t.match(head, new RegExp(`^content-language: ${language}\\r$`, 'm'))
    t.match(head, /^vary: Accept-Language\r$/m)
    const detail = { en: 'Service temporarily unavailable, try again later.', es: 'Servicio no disponible temporalmente, inténtelo más tarde.' }[language]
    t.strictSame(JSON.parse(body), { detail, code: 'unavailable' })
  }
  t.strictSame(lines, ['[{"refused":1},"there is too much to do: requests were refused"]'], 'the log has one line, not one for each')

  const [impatient] = refused() as [Line]
  const admitted = crowd.filter(({ said }) => said === '')
  for (const { socket } of [impatient, ...admitted]) socket.write('{}')
  await until(() => admitted.every(({ said }) => said !== ''))
  impatient.socket.write(ask('/api/v1/me/'))
  await until(() => !app.isUnderPressure())
  t.ok(admitted.every(line => statusesOf(line)[0] === 400), 'who was let in is answered as ever')

  const newcomer = await open()
  newcomer.socket.write(ask('/api/v1/me/'))
  await until(() => newcomer.said !== '')
  await until(() => statusesOf(impatient).length > 1)
  t.strictSame([statusesOf(newcomer), statusesOf(impatient)], [[401], [503, 401]])
  // The server's own moments: a machine that is slow only puts more between them.
  const [early = 0, late = 0] = heard.get(impatient.socket.localPort ?? 0) ?? []
  t.ok(late - early >= 950, `who asks again at once is listened to when the time that it was told is over: ${late - early} ms`)
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
  let said = ''
  socket.setEncoding('utf8').on('data', (text: string) => { said += text })
  for (let answers = 1; answers <= 20; answers++) {
    // Pressure lasts until each request is answered.
    await until(() => app.isUnderPressure(), lag)
    socket.write(ask('/api/v1/me/'))
    await until(() => said.split('HTTP/1.1 ').length > answers, lag)
  }
  t.strictSame([...new Set(said.match(/HTTP\/1\.1 \d+/g))], ['HTTP/1.1 401'])
})
