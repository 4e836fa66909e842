import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { decoded, decoders } from '../../../../../support/decoded.ts'
import { build } from '../../../../../support/helper.ts'

t.test('the answer with one change has at most 1000 bytes, headers included', async (t) => {
  const { as, app } = await build(t)
  const director = await as('director@demo.example')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const { cursor } = (await director.get('changes/?page_size=1000')).json()
  await director.post('contracts/', { folio: 'ON-2026-1000', monto: '1234567.89', fecha_inicio: '2026-03-01' })
  const plain = await director.get(`changes/?cursor=${cursor}`)

  for (const encoding of Object.keys(decoders)) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /api/v1/changes/?cursor=${cursor} HTTP/1.1\r\nHost: obra.example\r\nAuthorization: Bearer ${director.access}\r\nAccept-Encoding: ${encoding}\r\nPrefer: wait=1\r\nConnection: close\r\n\r\n`)
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    await once(socket, 'close')
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n') + 4
    const head = answer.subarray(0, end).toString()
    t.match(head, /^HTTP\/1.1 200 OK\r\n/)
    t.match(head, new RegExp(`^etag: ".*-${encoding}"\r$`, 'm'), 'with an ETag of its own')
    t.equal(decoded(encoding, answer.subarray(end)), plain.body)
    // With an open connection, Node.js adds `Connection: keep-alive` and `Keep-Alive` instead of `Connection: close`.
    const total = answer.length + 'keep-alive\r\nKeep-Alive: timeout=72'.length - 'close'.length
    t.ok(total <= 1000, `${total} bytes in ${encoding}`)
  }
})
