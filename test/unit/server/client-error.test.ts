import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { build, buildOn } from '../../support/helper.ts'
import { invalid } from '../../support/invalid.ts'

const { app, as, database } = await build(t)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

t.test('an invalid HTTP request gets an error in the usual form', async (t) => {
  const send = async (request: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request)
    const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string]
    return { status: head.split(' ')[1], head, body: JSON.parse(body) }
  }

  const nonsense = await send('NONSENSE\r\n\r\n')
  t.match(nonsense, { status: '400', body: invalid({ non_field_errors: ['Malformed request.'] }) })
  t.match(nonsense.head, /content-type: application\/json/i)
  t.match(nonsense.head, /^content-language: en\r?$/im)
  t.match(await send(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`), { status: '431', body: { code: 'headers_too_large', detail: 'The request header is too large.' } })
})

t.test('complete requests before it are answered first', async (t) => {
  const { access } = await as('director@demo.example')
  const create = (folio: string) => {
    const body = JSON.stringify({ folio })
    return `POST /api/v1/contracts/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${access}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${create('ANTES-1')}${create('ANTES-2')}NONSENSE\r\n\r\n`)
  const answers = await text(socket)
  t.strictSame([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status), ['201', '201', '400'])
  t.ok(answers.indexOf('ANTES-1') < answers.indexOf('ANTES-2'))
})

t.test('the answer has the configured language', async (t) => {
  const spanish = await buildOn(t, { ...database, close: async () => {} }, { DEFAULT_LANGUAGE: 'es' })
  await spanish.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((spanish.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('NONSENSE\r\n\r\n')
  const answers = await text(socket)
  t.match(answers, /^content-language: es\r?$/im)
  t.match(answers, /Solicitud con formato incorrecto\./)
})
