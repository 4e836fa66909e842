import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { sender, type SenderOptions } from '../../../../src/jobs/webhooks/send.ts'
import { certificate, httpReceiver, httpsReceiver, rawReceiver } from '../../../support/receiver.ts'

/** An egress proxy that connects each tunnel to that port of this machine, or leaves it to `answer`. */
async function proxyTo (t: Test, port: number, answer?: (socket: Socket) => void) {
  const asked: IncomingMessage[] = []
  const sockets: Socket[] = []
  const server = createServer((_request, response) => { response.writeHead(500).end() })
  server.on('connect', (request, socket: Socket) => {
    asked.push(request)
    sockets.push(socket)
    // Sockets of an HTTP server stay half open.
    socket.on('error', () => {}).on('end', () => socket.destroy())
    // Node notices the end of a socket only while it reads.
    if (answer !== undefined) return answer(socket.resume())
    const receiver = connect(port, '127.0.0.1')
    sockets.push(receiver)
    receiver.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => receiver.destroy())
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(receiver).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { asked, sockets, url: `http://user:p%40ss@127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function open (t: Test, WEBHOOK_PROXY: string, options?: SenderOptions) {
  const opened = sender({ NODE_ENV: 'test', WEBHOOK_PORTS: '443,8443', WEBHOOK_PROXY }, { ca: certificate, resolve: async () => { throw new Error('the proxy resolves names') }, ...options })
  t.teardown(() => opened.close())
  return opened
}

async function closed (socket: Socket | undefined): Promise<void> {
  if (socket !== undefined && !socket.destroyed) await once(socket, 'close')
}

t.test('a request goes through a tunnel of the proxy', async (t) => {
  const { port, connections } = await httpsReceiver(t, async (request, response) => {
    response.writeHead(201).end(JSON.stringify([request.headers, (await request.toArray()).join('')]))
  })
  const { asked, url } = await proxyTo(t, port)
  const { send } = open(t, url)
  const sent = await send('https://receiver.example:8443/obra', { 'webhook-id': 'msg_1' }, '{}')
  t.match(sent, { status: 201, error: null })
  t.match(JSON.parse(sent.body), [{ host: 'receiver.example:8443', 'webhook-id': 'msg_1', 'proxy-authorization': undefined }, '{}'])
  t.match(asked[0], { url: 'receiver.example:8443', headers: { host: 'receiver.example:8443', 'proxy-authorization': `Basic ${btoa('user:p@ss')}` } })
  t.match(await send('https://receiver.example/', {}, ''), { status: 201 })
  t.equal(asked[1]?.url, 'receiver.example:443')
  for (const socket of connections) await closed(socket)
})

t.test('the certificate is that of the receiver', async (t) => {
  const { port } = await httpsReceiver(t, (_request, response) => { response.end() })
  const { asked, url } = await proxyTo(t, port)
  t.match(await open(t, url).send('https://other.example/', {}, ''), { status: null, error: 'the TLS certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)' })
  t.match(await open(t, url).send('https://1.1.1.1/', {}, ''), { status: null, error: 'the TLS certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)' })
  t.match(await open(t, url).send('https://[2606:4700::1111]/', {}, ''), { status: null })
  t.strictSame(asked.map(({ url }) => url), ['other.example:443', '1.1.1.1:443', '[2606:4700::1111]:443'])
})

t.test('the rules for URLs apply, and loopback does not use the proxy', async (t) => {
  const { port } = await httpReceiver(t, (_request, response) => { response.end() })
  const { asked, url } = await proxyTo(t, port)
  const { send } = open(t, url)
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', 'postgres', 'metadata.google.internal', '127.0.0.1.']) t.match(await send(`https://${host}:8443/`, {}, ''), { status: null, error: String }, host)
  t.match(await send(`http://127.0.0.1:${port}/`, {}, ''), { status: 200 })
  t.equal(asked.length, 0)
})

t.test('a proxy that refuses or fails is a failure', async (t) => {
  const refusing = await proxyTo(t, 0, socket => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'))
  t.match(await open(t, refusing.url).send('https://receiver.example/', {}, ''), { status: null, error: 'the egress proxy refused the connection' })
  await closed(refusing.sockets[0])
  const resetting = await proxyTo(t, 0, socket => socket.resetAndDestroy())
  t.match(await open(t, resetting.url).send('https://receiver.example/', {}, ''), { status: null, error: 'the egress proxy cannot be reached' })
  t.match(await open(t, 'http://127.0.0.1:1').send('https://receiver.example/', {}, ''), { status: null, error: 'the egress proxy cannot be reached' })
  const broken = await proxyTo(t, 1)
  t.match(await open(t, broken.url).send('https://receiver.example/', {}, ''), { status: null, error: 'connection closed before an answer' })
})

t.test('the timeout leaves no socket behind, whether the proxy or the TLS of the receiver is slow', async (t) => {
  const silent = await proxyTo(t, 0, () => {})
  t.match(await open(t, silent.url, { timeout: 200 }).send('https://receiver.example/', {}, ''), { status: null, error: 'no answer within 0.2 s' })
  for (const socket of silent.sockets) await closed(socket)
  const receiver = await rawReceiver(t, () => {})
  const { sockets, url } = await proxyTo(t, receiver.port)
  t.match(await open(t, url, { timeout: 200 }).send('https://receiver.example/', {}, ''), { status: null, error: 'no answer within 0.2 s' })
  for (const socket of sockets) await closed(socket)
})

t.test('a signal ends the attempt with its reason', async (t) => {
  const reason = new Error('shutdown')
  const stop = new AbortController()
  const { sockets, url } = await proxyTo(t, 0, () => stop.abort(reason))
  await t.rejects(open(t, url).send('https://receiver.example/', {}, '', stop.signal), reason)
  for (const socket of sockets) await closed(socket)
})
