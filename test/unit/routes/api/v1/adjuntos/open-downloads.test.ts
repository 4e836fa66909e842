import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import t from 'tap'
import { attaching, fileOf } from '../../../../../support/attaching.ts'

/** More than the buffers of both ends of a connection. */
const bytes = 20_000_000

t.test('downloads that nobody reads are limited', async (t) => {
  const { as, attach, contract, content, director, origin, put } = await attaching(t)
  const file = fileOf('image/jpeg', 'sin leer', bytes)
  const { id } = await attach(file, { contract: await contract() }) as { id: number }
  t.equal((await put(id, file)).status, 200)

  const open = async (): Promise<IncomingMessage> => {
    const request = get(`${origin}/api/v1/adjuntos/${id}/contenido/`, { headers: { authorization: `Bearer ${director.access}` }, agent: false })
    const [response] = await once(request, 'response') as [IncomingMessage]
    response.on('error', () => {}) // the test cuts it
    return response
  }
  const unread = await Promise.all(Array.from({ length: 16 }, open))
  t.ok(unread.every(({ statusCode }) => statusCode === 200))

  const waiting = content(id, { headers: { range: 'bytes=0-9' } })
  const refused = await content(id)
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '5')
  t.match(await refused.json(), { code: 'unavailable', detail: /too many downloads open/ })
  t.equal((await waiting).status, 503)
  const colleague = await as('coordinador@demo.example')
  t.equal((await content(id, { headers: { range: 'bytes=0-9' } }, colleague)).status, 206, 'another user is answered')
  t.equal((await director.get('me/')).statusCode, 200, 'so are other requests of the user')

  const next = content(id, { headers: { range: 'bytes=0-9' } })
  unread.pop()?.destroy()
  t.equal((await next).status, 206, 'a waiting download begins when another one ends')
  for (const response of unread) response.destroy()
})
