import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('HTTP', async (t) => {
  const { as, app } = await build(t)
  const director = await as('director@demo.example')
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${director.access}` }

  t.test('406 unless Accept permits JSON', async (t) => {
    for (const accept of ['application/xml', 'text/html', 'image/*', 'application/json;q=0', 'text/html, application/xml;q=0.9']) {
      const response = await director.get('contracts/', { accept })
      t.equal(response.statusCode, 406, accept)
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      t.strictSame(response.json(), { detail: 'Could not satisfy the request Accept header.', code: 'not_acceptable' })
    }
    for (const accept of ['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json; charset=utf-8', 'text/html,application/json;q=0.1']) {
      t.equal((await director.get('contracts/', { accept })).statusCode, 200, accept)
    }
  })

  t.test('a body of another media type is 415, and nothing is written', async (t) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data; boundary=x', 'text/json', 'application/merge-patch+json']) {
      for (const [method, url] of [['POST', 'contracts/'], ['POST', 'contracts/bulk/'], ['PUT', 'contracts/1/'], ['PATCH', 'contracts/1/']] as const) {
        const response = await director.send(method, url, '{"folio":"TIPO"}', { 'content-type': type })
        t.equal(response.statusCode, 415, `${method} ${type}`)
        t.strictSame(response.json(), { detail: `Unsupported media type "${type}" in request.`, code: 'unsupported_media_type' })
      }
    }
    t.equal((await director.get('contracts/?folio=TIPO')).json().count, 0)
    t.equal((await director.send('PATCH', 'contracts/1/', '{}', { 'content-type': 'application/json; charset=UTF-8' })).statusCode, 200)
  })

  t.test('links begin with the address of the request', async (t) => {
    const { next } = await (await fetch(`${origin}/api/v1/contracts/`, { headers })).json() as { next: string }
    t.ok(next.startsWith(`${origin}/api/v1/contracts/?`), next)
  })

  t.test('a body that is too large is 413, with and without Content-Length', async (t) => {
    const body = JSON.stringify({ folio: 'GRANDE', descripcion: 'x'.repeat(2 ** 20) })
    const large = { detail: 'The request body is larger than 128 KiB, the limit of this operation.', code: 'body_too_large' }
    const whole = await fetch(`${origin}/api/v1/contracts/`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
    t.equal(whole.status, 413)
    t.strictSame(await whole.json(), large)
    const streamed = await fetch(`${origin}/api/v1/contracts/`, {
      method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: new Blob([body]).stream(), duplex: 'half'
    })
    t.equal(streamed.status, 413)
    t.strictSame(await streamed.json(), large)
  })

  t.test('every answer has X-Request-Id: the caller\'s, if it is valid', async (t) => {
    const ids = new Set<string>()
    for (const url of ['contracts/', 'contracts/1/', 'contracts/999999/', 'contracts/?foo=1', 'nada/', 'contracts/%ff/']) {
      const response = await director.get(url)
      t.match(response.headers['x-request-id'], /^[\w.:-]+$/, url)
      ids.add(response.headers['x-request-id'] as string)
      t.equal((await director.get(url, { 'x-request-id': 'mi-llamada:7.1_a' })).headers['x-request-id'], 'mi-llamada:7.1_a')
      for (const bad of ['a b', 'a<b', 'x'.repeat(129), '']) t.not((await director.get(url, { 'x-request-id': bad })).headers['x-request-id'], bad)
    }
    t.equal(ids.size, 6)
  })

  t.test('every authenticated answer is private, has Vary with the formats of its route, and is JSON', async (t) => {
    const lists = await Promise.all([
      director.get('contracts/'), director.get('contracts/?page=0'), director.get('contracts/?x=1'), director.get('estimates/'), director.get('users/'),
      director.get('contracts/1/tree/')
    ])
    const others = await Promise.all([
      director.get('contracts/1/'), director.get('contracts/999999/'), director.get('changes/'), director.get('me/'),
      director.post('contracts/', { folio: 'CABECERAS' }), director.post('contracts/', {}), director.send('PATCH', 'contracts/1/', {}), director.send('PUT', 'contracts/')
    ])
    t.strictSame(lists.map(({ statusCode }) => statusCode), [200, 404, 400, 200, 403, 200])
    t.strictSame(others.map(({ statusCode }) => statusCode), [200, 404, 200, 200, 201, 400, 200, 405])
    for (const { headers } of lists) t.equal(headers.vary, 'Authorization,Accept,Accept-Encoding,Accept-Language')
    for (const { headers } of others) t.equal(headers.vary, 'Authorization,Accept-Encoding,Accept-Language')
    for (const response of [...lists, ...others]) {
      t.equal(response.headers['cache-control'], 'private, no-cache')
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      t.doesNotThrow(() => response.json())
    }
  })
})
