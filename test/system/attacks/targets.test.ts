import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { build } from '../../support/helper.ts'
import { faultOf, statusesOf } from './raw.ts'
import { invalid } from '../../support/invalid.ts'

const { app, as, psql } = await build(t, { RATE_LIMIT: 'off', LOG_LEVEL: 'silent' })
await app.listen({ port: 0, host: '127.0.0.1' })
const { access } = await as('director@demo.example')
const authorization = `Authorization: Bearer ${access}`

/** Sends one request with this request line and reads the answer. */
async function send (line: string, { host = 'obra.example', token = true, headers: more = [], body }: { host?: string, token?: boolean, headers?: string[], body?: unknown } = {}) {
  const content = body === undefined ? '' : JSON.stringify(body)
  const head = [line, ...host === '' ? [] : [`Host: ${host}`], ...token ? [authorization] : [], ...more, ...body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${content.length}`], 'Connection: close']
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n${content}`, 'latin1')
  const response = await text(socket)
  const [headers = '', json = ''] = response.split('\r\n\r\n')
  return { response, status: statusesOf(response)[0], headers, body: json === '' ? undefined : JSON.parse(json) }
}

const malformed = invalid({ non_field_errors: ['Malformed request.'] })

t.test('the host of an absolute target is the request\'s host', async (t) => {
  for (const [target, origin] of [
    ['http://other.example/api/v1/contracts/?page_size=3', 'http://other.example'], ['HTTPS://other.example:8443/api/v1/contracts/?page_size=3', 'http://other.example:8443'],
    ['http://[2001:db8::1]:80/api/v1/contracts/?page_size=3', 'http://[2001:db8::1]:80'], ['/api/v1/contracts/?page_size=3', 'http://obra.example'], ['/api/v1/contracts/?page_size=3#fragment', 'http://obra.example']
  ]) {
    const { status, body } = await send(`GET ${target} HTTP/1.1`)
    t.equal(status, 200, target)
    t.match(body.next.replace(/cursor=[\w-]+&/, ''), `${origin}/api/v1/contracts/?page=2&page_size=3`, target)
  }
  const one = await send('GET http://obra.example/api/v1/contracts/1/ HTTP/1.1')
  const same = await send('GET /api/v1/contracts/1/ HTTP/1.1')
  const etag = (headers: string) => /^etag: (.*)$/m.exec(headers)?.[1]
  t.ok(etag(one.headers))
  t.equal(etag(one.headers), etag(same.headers), 'the page cache uses one key for both')

  const created = await send('POST http://other.example/api/v1/contracts/ HTTP/1.1', { body: { folio: 'ABS-1' } })
  t.equal(created.status, 201)
  t.match(created.headers, new RegExp(`^location: http://other\\.example/api/v1/contracts/${created.body.id}/\r?$`, 'm'))
})

t.test('an absolute target is refused like its path', async (t) => {
  for (const prefix of ['', 'http://evil.example', 'http://evil.example:99', 'ftp://evil.example']) {
    t.match(await send(`GET ${prefix}/api/v1/contracts/ HTTP/1.1`, { token: false }), { status: 401, body: { code: 'not_authenticated' } }, prefix)
    t.match(await send(`GET ${prefix}/api/v1/nothing/ HTTP/1.1`, { token: false }), { status: 401 }, prefix)
    const wrong = await send(`DELETE ${prefix}/api/v1/contracts/ HTTP/1.1`)
    t.match(wrong, { status: 405, body: { code: 'method_not_allowed' } }, prefix)
    t.match(wrong.headers, /^allow: GET, HEAD, OPTIONS, POST\r?$/m)
    t.match(await send(`GET ${prefix}/api/v1/nothing/ HTTP/1.1`), { status: 404, body: { code: 'not_found' } }, prefix)
  }
})

t.test('an absolute target without a path is the root, whose links have its host', async (t) => {
  const { body: { links } } = await send('GET / HTTP/1.1', { host: 'other.example' })
  t.ok(links.length > 0)
  for (const target of ['http://other.example', 'http://other.example?page=1', 'http://other.example/']) {
    t.match(await send(`GET ${target} HTTP/1.1`), { status: 200, body: { links } }, target)
  }
})

t.test('an unknown target is 400 or 404, and never in a link', async (t) => {
  for (const [target, statuses] of [
    ['//evil.example/api/v1/contracts/', [404]], ['evil.example:443', [400]], ['evil.example/api/v1/contracts/', [400]], ['*', [404]], ['api/v1/contracts/', [400]],
    ['http:///api/v1/contracts/', [400]], ['http://evil.example@obra.example/api/v1/contracts/', [400]], ['http://a b/api/v1/contracts/', [400]], ['http://evil.example\\@x/api/v1/contracts/', [400]], ['/api/v1/contracts//', [404]]
  ] as Array<[string, number[]]>) {
    for (const method of ['GET', 'OPTIONS']) {
      const { status, response } = await send(`${method} ${target} HTTP/1.1`)
      t.ok(statuses.includes(status ?? 0), `${method} ${target}: ${response.slice(0, 200)}`)
      t.notMatch(response, 'evil.example')
      t.equal(faultOf(response), undefined)
    }
  }
})

t.test('an invalid host is 400 for every path', async (t) => {
  for (const host of ['evil.example/path', 'a b', 'a?b', 'a#b', 'a@b', 'a:b', 'a:123456', '[::1', '"a"', '<a>', 'a,b', 'a\\b', '%61', 'é.example', `${'a'.repeat(300)}.example`]) {
    for (const line of ['GET /api/v1/contracts/ HTTP/1.1', 'GET /health/live/ HTTP/1.1', 'POST /api/v1/contracts/ HTTP/1.1', 'GET /nothing HTTP/1.1']) {
      t.match(await send(line, { host }), { status: 400, body: malformed }, `${host}: ${line}`)
    }
  }
  for (const host of ['obra.example', 'obra.example:8080', 'localhost', '127.0.0.1:3000', '[::1]:3000', 'obra_web', 'OBRA.example.']) {
    t.equal((await send('GET /api/v1/contracts/ HTTP/1.1', { host })).body.next.split('/api/')[0], `http://${host}`)
  }
})

t.test('HTTP/1.0 without a host is served if the answer has no link, else 400', async (t) => {
  t.match(await send('GET /health/live/ HTTP/1.0', { host: '' }), { status: 200 })
  t.match(await send('GET /api/v1/me/ HTTP/1.0', { host: '' }), { status: 200 })
  t.match(await send('GET /api/v1/contracts/ HTTP/1.0', { host: '' }), { status: 400, body: malformed })
  for (const headers of [[], ['Idempotency-Key: none']]) {
    t.match(await send('POST /api/v1/contracts/ HTTP/1.0', { host: '', headers, body: { folio: 'SIN-HOST' } }), { status: 400, body: malformed })
  }
  t.equal((await psql("select from contracts where folio = 'SIN-HOST'")).length, 0, 'nothing is written')
})

t.test('HTTP/1.0 without a host, behind a proxy that forwards an invalid one, is 400', async (t) => {
  const { app, as } = await build(t, { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { access } = await as('director@demo.example')
  const next = async (forwarded: string) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`GET /api/v1/contracts/ HTTP/1.0\r\nX-Forwarded-Host: ${forwarded}\r\nAuthorization: Bearer ${access}\r\n\r\n`)
    const [, json = ''] = (await text(socket)).split('\r\n\r\n')
    return JSON.parse(json)
  }
  t.strictSame(await next('evil.example/x'), malformed)
  t.match((await next('api.example')).next, /^http:\/\/api\.example\/api\//)
})

t.test('a forwarded host counts only from a trusted proxy, and must be valid', async (t) => {
  const { app, as } = await build(t, { TRUST_PROXY: '127.0.0.1' })
  const { access } = await as('director@demo.example')
  const next = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
    const response = await app.inject({ url: '/api/v1/contracts/', remoteAddress, headers: { authorization: `Bearer ${access}`, host: 'inside', ...headers } })
    return response.statusCode === 200 ? response.json().next.split('/api/')[0] : response.json()
  }
  t.equal(await next({ 'x-forwarded-host': 'api.example', 'x-forwarded-proto': 'https' }), 'https://api.example')
  t.equal(await next({ 'x-forwarded-host': 'evil.example/x' }, '127.0.0.2'), 'http://inside')
  t.strictSame(await next({ 'x-forwarded-host': 'evil.example/x' }), malformed)
  t.equal(await next({ 'x-forwarded-proto': 'javascript' }), 'http://inside')
})
