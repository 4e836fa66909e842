import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { sender, type SenderOptions } from '../../../../src/jobs/webhooks/send.ts'
import { certificate, httpReceiver, httpsReceiver, rawReceiver } from '../../../support/receiver.ts'

function open (t: Test, options?: SenderOptions) {
  const opened = sender({ NODE_ENV: 'test', WEBHOOK_PORTS: '443' }, options)
  t.teardown(() => opened.close())
  return opened
}

/** Sends to a receiver with that answer. */
async function answered (t: Test, status: number, headers: Record<string, string | string[]> = {}, body: string | Buffer = '') {
  const { port } = await httpReceiver(t, (_request, response) => { response.writeHead(status, headers).end(body) })
  return await open(t).send(`http://127.0.0.1:${port}/`, {}, '{}')
}

t.test('a request has the given headers and body', async (t) => {
  const { port } = await httpReceiver(t, async (request, response) => {
    const { method, url, headers } = request
    response.end(JSON.stringify({ method, url, headers, body: (await request.toArray()).join('') }))
  })
  const sent = await open(t).send(`http://localhost:${port}/obra?token=a%20b`, { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, '{"año":1}')
  t.match(sent, { status: 200, error: null, ms: Number })
  t.notOk('retryAfter' in sent)
  t.strictSame(JSON.parse(sent.body), {
    method: 'POST',
    url: '/obra?token=a%20b',
    headers: { 'accept-encoding': 'identity', 'content-type': 'application/json', 'webhook-id': 'msg_1', 'content-length': '10', host: `localhost:${port}`, connection: 'keep-alive' },
    body: '{"año":1}'
  })
})

t.test('every status is an answer', async (t) => {
  for (const status of [200, 204, 304, 400, 410, 429, 500, 503]) t.match(await answered(t, status), { status, body: '', error: null })
})

t.test('redirects are not followed', async (t) => {
  const elsewhere = await httpReceiver(t, (_request, response) => { response.end() })
  for (const status of [301, 302, 303, 307, 308]) {
    t.match(await answered(t, status, { location: `http://127.0.0.1:${elsewhere.port}/` }, 'moved'), { status, body: 'moved', error: null })
  }
  t.equal(elsewhere.connections.length, 0)
})

t.test('the first kilobyte of the body is text that PostgreSQL can store', async (t) => {
  t.match(await answered(t, 200, {}, 'ñ\0x\0'), { body: 'ñx' })
  t.match(await answered(t, 200, {}, Buffer.from([0x61, 0xff, 0xc3])), { body: 'a\ufffd\ufffd' })
  t.equal((await answered(t, 200, {}, 'x'.repeat(1023))).body, 'x'.repeat(1023))
  t.equal((await answered(t, 200, {}, 'x'.repeat(5_000_000))).body, 'x'.repeat(1024))
  t.equal((await answered(t, 500, {}, `${'x'.repeat(1023)}ñ`)).body, `${'x'.repeat(1023)}\ufffd`)
})

t.test('a compressed body is not decoded', async (t) => {
  const bomb = gzipSync('x'.repeat(1_000_000))
  const { status, body } = await answered(t, 200, { 'content-encoding': 'gzip' }, bomb)
  t.equal(status, 200)
  t.ok(body.length <= 1024)
  t.notMatch(body, 'xx')
})

t.test('Retry-After is in the outcome', async (t) => {
  t.match(await answered(t, 429, { 'retry-after': '90' }), { status: 429, retryAfter: 90_000 })
})

t.test('HTTPS verifies the certificate', async (t) => {
  const { port } = await httpsReceiver(t, (_request, response) => { response.end('secure') })
  const url = `https://localhost:${port}/`
  t.match(await open(t, { ca: certificate }).send(url, {}, ''), { status: 200, body: 'secure', error: null })
  t.match(await open(t).send(url, {}, ''), { status: null, body: '', error: 'the TLS certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)' })
  t.match(await open(t, { ca: certificate }).send(`https://127.0.0.2:${port}/`, {}, ''), { status: null, error: 'connection refused' })
  t.match(await open(t, { ca: certificate }).send(`https://other.localhost:${port}/`, {}, ''), { status: null, error: 'the TLS certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)' })
})

t.test('connections are used again', async (t) => {
  for (const [protocol, start] of [['http', httpReceiver], ['https', httpsReceiver]] as const) {
    const { port, connections } = await start(t, (_request, response) => { response.end() })
    const { send } = open(t, { ca: certificate })
    for (let count = 0; count < 5; count++) t.match(await send(`${protocol}://127.0.0.1:${port}/`, {}, ''), { status: 200 })
    t.equal(connections.length, 1, protocol)
  }
})

t.test('a signal ends the attempt with its reason', async (t) => {
  const reason = new Error('shutdown')
  const { send } = open(t)
  const stop = new AbortController()
  const { port, connections } = await rawReceiver(t, socket => socket.once('data', () => stop.abort(reason)))
  const url = `http://127.0.0.1:${port}/`
  await t.rejects(send(url, {}, '', stop.signal), reason)
  await t.rejects(send(url, {}, '', stop.signal), reason, 'an aborted signal')
  t.equal(connections.length, 1)
})

t.test('an invalid header is a failure, not an error', async (t) => {
  t.match(await open(t).send('http://127.0.0.1:1/', { 'webhook-id': 'a\nb' }, ''), { status: null, error: 'the request has an invalid header' })
})

t.test('a URL that the policy forbids is not requested', async (t) => {
  const { port, connections } = await httpReceiver(t, (_request, response) => { response.end() })
  const production = sender({ NODE_ENV: 'production', WEBHOOK_PORTS: '443' })
  t.teardown(() => production.close())
  t.match(await production.send(`http://127.0.0.1:${port}/`, {}, ''), { status: null, error: 'The URL must start with "https://".' })
  t.match(await production.send(`https://127.0.0.1:${port}/`, {}, ''), { status: null, error: 'The host of the URL must be public.' })
  t.equal(connections.length, 0)
})
