import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { build } from '../../helper.ts'

t.test('what is no HTTP request is answered in the form of every error', async (t) => {
  const { app } = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const send = async (request: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request)
    const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string]
    return { status: head.split(' ')[1], head, body: JSON.parse(body) }
  }

  const nonsense = await send('NONSENSE\r\n\r\n')
  t.match(nonsense, { status: '400', body: { detail: 'Invalid input.', errors: { non_field_errors: ['Malformed request.'] } } })
  t.match(nonsense.head, /content-type: application\/json/i)
  t.match(await send(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`), { status: '431', body: { code: 'headers_too_large', detail: 'The request header is too large.' } })
})
