import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { sender, type SenderOptions } from '../../../../src/jobs/webhooks/send.ts'
import { httpReceiver, httpsReceiver, rawReceiver } from '../../../support/receiver.ts'

const head = 'HTTP/1.1 200 OK\r\n'

function open (t: Test, options?: SenderOptions) {
  const opened = sender({ NODE_ENV: 'test', WEBHOOK_PORTS: '443' }, options)
  t.teardown(() => opened.close())
  return opened
}

/** Sends to a receiver that does that with each connection after the first bytes of the request. */
async function sentTo (t: Test, act: (socket: Socket) => void, options?: SenderOptions) {
  const receiver = await rawReceiver(t, socket => socket.once('data', () => act(socket)))
  const outcome = await open(t, options).send(`http://127.0.0.1:${receiver.port}/`, {}, '{}')
  return { outcome, ...receiver }
}

/** Writes a text again and again until the connection ends. */
function endless (socket: Socket, text: string): void {
  const large = text.repeat(Math.ceil(65_536 / text.length))
  const write = () => { while (!socket.destroyed && socket.write(large)) { /* until the buffer is full */ } }
  socket.on('drain', write)
  write()
}

t.test('an attempt without the headers of an answer ends after the timeout', async (t) => {
  const acts: Record<string, (socket: Socket) => void> = {
    'no byte': () => {},
    'part of the headers': socket => socket.write(`${head}x-slow: `),
    'interim answers only': socket => socket.write('HTTP/1.1 102 Processing\r\n\r\n')
  }
  for (const [name, act] of Object.entries(acts)) {
    const { outcome, connections } = await sentTo(t, act, { timeout: 100 })
    t.match(outcome, { status: null, body: '', error: 'no answer within 0.1 s', ms: Number }, name)
    await closed(connections[0])
  }
})

t.test('the timeout includes the name and TLS', async (t) => {
  const { port } = await rawReceiver(t, () => {})
  t.match(await open(t, { timeout: 100 }).send(`https://127.0.0.1:${port}/`, {}, ''), { status: null, error: 'no answer within 0.1 s' })
  t.match(await open(t, { timeout: 100, resolve: () => new Promise(() => {}) }).send('https://receiver.example/', {}, ''), { status: null, error: 'no answer within 0.1 s' })
})

t.test('an endless body is read up to one kilobyte', async (t) => {
  const { outcome, connections } = await sentTo(t, (socket) => {
    socket.write(`${head}\r\n`)
    endless(socket, 'x'.repeat(10_000))
  })
  t.match(outcome, { status: 200, body: 'x'.repeat(1024), error: null })
  await closed(connections[0])
})

t.test('endless headers, interim answers and chunk extensions end the attempt', async (t) => {
  const headers = await sentTo(t, (socket) => {
    socket.write(head)
    endless(socket, `x-endless: ${'x'.repeat(1000)}\r\n`)
  })
  t.match(headers.outcome, { status: null, error: 'the headers of the answer are too large' })
  await closed(headers.connections[0])

  const interim = await sentTo(t, socket => endless(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'))
  t.match(interim.outcome, { status: null, error: 'the answer is not valid HTTP' })
  await closed(interim.connections[0])

  const extensions = await sentTo(t, (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n1;`)
    endless(socket, 'x'.repeat(10_000))
  })
  t.match(extensions.outcome, { status: 200, body: '', error: null })
  await closed(extensions.connections[0])
})

t.test('an answer that is not HTTP is a failure', async (t) => {
  for (const text of ['SSH-2.0-OpenSSH_9.6\r\n', 'HTTP/1.1 abc\r\n\r\n', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n']) {
    const { outcome } = await sentTo(t, socket => socket.write(text))
    t.match(outcome, { status: null, error: 'the answer is not valid HTTP' }, text)
  }
  const plain = await rawReceiver(t, socket => socket.once('data', () => socket.end(`${head}\r\n`)))
  t.match(await open(t).send(`https://127.0.0.1:${plain.port}/`, {}, ''), { status: null, error: 'no TLS connection' })
  const secure = await httpsReceiver(t, (_request, response) => { response.end() })
  t.match(await open(t).send(`http://127.0.0.1:${secure.port}/`, {}, ''), { status: null, error: String })
})

t.test('a connection that closes before an answer is a failure, without repetition', async (t) => {
  for (const act of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end(), (socket: Socket) => socket.end('HTTP/1.1 20')]) {
    const { outcome, connections } = await sentTo(t, act)
    t.match(outcome, { status: null, error: /^(connection closed before an answer|the answer is not valid HTTP)$/ })
    t.equal(connections.length, 1)
  }
  const cut = await sentTo(t, (socket) => socket.end(`${head}content-length: 100\r\n\r\ncut`))
  t.match(cut.outcome, { status: 200, body: 'cut', error: null }, 'a close after the headers is an answer')
})

t.test('a closed port is a failure', async (t) => {
  t.match(await open(t).send('http://127.0.0.1:1/', {}, ''), { status: null, error: 'connection refused' })
  t.match(await open(t).send('http://localhost:1/', {}, ''), { status: null, error: 'connection refused' })
})

t.test('a reset of an idle connection is repeated once, on a new connection', async (t) => {
  const requests: number[] = []
  let healthy = true
  const { port, connections } = await httpReceiver(t, ({ socket }, response) => {
    const connection = connections.indexOf(socket)
    const used = requests.includes(connection)
    requests.push(connection)
    if (used || !healthy) socket.resetAndDestroy()
    else response.end()
  })
  const { send } = open(t)
  const url = `http://127.0.0.1:${port}/`
  t.match(await send(url, {}, ''), { status: 200 })
  t.match(await send(url, {}, ''), { status: 200 })
  t.strictSame(requests, [0, 0, 1])
  t.match(await send(url, {}, ''), { status: 200 }, 'the repetition leaves no idle connection')
  healthy = false
  t.match(await send(url, {}, ''), { status: null, error: 'connection closed before an answer' })
  t.strictSame(requests, [0, 0, 1, 2, 2, 3])
})

async function closed (socket: Socket | undefined): Promise<void> {
  if (socket !== undefined && !socket.destroyed) await new Promise<void>(resolve => socket.once('close', () => resolve()))
}
