import t from 'tap'
import { createObraClient, unwrap } from 'obra/client'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { attaching, described, fileOf } from '../../support/attaching.ts'

t.test('a Blob is sent unchanged under its media type, bytes too, and a file is read as a Blob', async (t) => {
  const { origin, attach, contract } = await attaching(t)
  const types: Array<string | null> = []
  const obra = createObraClient({
    baseUrl: origin,
    email: 'director@demo.example',
    password: demoPassword,
    fetch: async (request) => {
      if (request.method === 'PUT') types.push(request.headers.get('content-type'))
      return await fetch(request)
    }
  })
  const file = fileOf('image/jpeg', 'client', 5000)
  const given = { contract: await contract(), ...described(file, 'image/jpeg') }
  const path = { id: (await attach(file, given)).id as number }
  const url = '/api/v1/adjuntos/{id}/contenido/'
  const bytes = new Uint8Array(file)
  t.match(await unwrap(obra.PUT(url, { params: { path }, body: new Blob([bytes], { type: 'image/jpeg' }) })), { estado: 'listo' })
  t.match(await unwrap(obra.PUT(url, { params: { path }, body: new Blob([bytes]) })), { estado: 'listo' })
  const refused = await obra.PUT(url, { params: { path }, body: new Blob([bytes]), headers: { 'content-type': 'text/plain' } })
  t.equal(refused.response.status, 415)
  t.match(await unwrap(obra.PUT(url, { params: { path }, body: bytes })), { estado: 'listo' })
  t.strictSame(types, ['image/jpeg', 'application/octet-stream', 'text/plain', 'application/octet-stream'])
  const blob: Blob = await unwrap(obra.GET(url, { params: { path }, parseAs: 'blob' }))
  t.equal(blob.type, 'image/jpeg')
  t.ok(Buffer.from(await blob.arrayBuffer()).equals(file))
  const { response } = await obra.HEAD(url, { params: { path } })
  t.strictSame([response.status, response.headers.get('content-length')], [200, '5000'])
})
