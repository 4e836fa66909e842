import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { buildOn, logIn, openTestDatabase } from '../../support/helper.ts'

const fresh = await openTestDatabase(t)
const database = { ...fresh.database, close: async () => {} }
const origin = 'https://app.example.mx'
const preflight = { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization,if-match' }

t.test('every answer, of any status, has the security headers, and does not name the software', async (t) => {
  const app = await buildOn(t, database)
  const { get, send } = await logIn(app, 'auxiliar@demo.example')
  const answers = [await app.inject('/health/live/'), await app.inject('/openapi.json'), await app.inject('/nowhere'), await app.inject('/api/v1/me/'), await get('contracts/'), await get('contracts/0/'),
    await send('OPTIONS', 'contracts/'), await send('PUT', 'contracts/'), await get('me/', { accept: 'text/html' }), await get('contracts/?page=x&page_size=0'), await send('POST', 'contracts/', { folio: 'X' })]
  t.strictSame(answers.map(({ statusCode }) => statusCode), [200, 200, 404, 401, 200, 404, 204, 405, 406, 400, 403])
  for (const { statusCode, headers } of answers) {
    t.match(headers, {
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin'
    }, String(statusCode))
    for (const name of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin']) t.equal(headers[name], undefined, name)
  }
  const page = await app.inject('/docs/')
  t.match(page.headers, { 'content-security-policy': /script-src 'self'/, 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }, 'the reference page has its own policy')
})

t.test('HTTPS is enforced if PUBLIC_URL uses it', async (t) => {
  const headers = async (url: string) => (await (await buildOn(t, database, { PUBLIC_URL: url })).inject('/health/live/')).headers
  t.equal((await headers('https://obra.example.mx'))['strict-transport-security'], 'max-age=31536000')
  t.equal((await headers('http://obra.example.mx'))['strict-transport-security'], undefined)
})

t.test('pages of other origins cannot call the API', async (t) => {
  const app = await buildOn(t, database)
  const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: '/api/v1/contracts/', headers: preflight })
  t.equal(statusCode, 401, 'a preflight cannot have a token')
  t.strictSame(Object.keys(headers).filter(name => name.startsWith('access-control-')), [])
})

t.test('pages of the origins in CORS_ORIGINS can call the API, and no others', async (t) => {
  const app = await buildOn(t, database, { CORS_ORIGINS: `https://other.example.mx, ${origin}` })
  const answer = await app.inject({ method: 'OPTIONS', url: '/api/v1/contracts/7/', headers: preflight })
  t.equal(answer.statusCode, 204)
  t.match(answer.headers, { 'access-control-allow-origin': origin, 'access-control-allow-methods': /\bPATCH\b/, 'access-control-allow-headers': 'authorization,if-match', 'access-control-max-age': '600', vary: /\bOrigin\b/ })
  t.equal(answer.headers['access-control-allow-credentials'], undefined, 'authentication uses tokens, not cookies')
  const refused = await app.inject({ method: 'OPTIONS', url: '/api/v1/contracts/7/', headers: { ...preflight, origin: 'https://app.example.mx.evil.example' } })
  t.equal(refused.headers['access-control-allow-origin'], undefined)

  const { get, send } = await logIn(app, 'auxiliar@demo.example')
  for (const { statusCode, headers } of [await get('me/', { origin }), await app.inject({ url: '/api/v1/me/', headers: { origin } })]) {
    for (const name of ['ETag', 'Accept-Ranges', 'Content-Range']) t.ok(String(headers['access-control-expose-headers']).split(', ').includes(name), name)
    t.match(headers, { 'access-control-allow-origin': origin, vary: 'Authorization,Accept-Encoding,Accept-Language,Origin' }, String(statusCode))
  }
  const options = await send('OPTIONS', 'contracts/')
  t.strictSame([options.statusCode, options.body], [204, ''])
})

t.test('scripts of an allowed origin can read refusals that come before anything else', async (t) => {
  const app = await buildOn(t, database, { CORS_ORIGINS: `https://other.example.mx, ${origin}` })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const send = async (lines: string[]) => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    return await text(socket)
  }
  for (const [status, from, lines] of [
    [400, origin, ['GET /api/v1/contracts/%zz/ HTTP/1.1', 'Host: a']],
    [400, origin, ['GET /api/v1/contracts/?a=%ff HTTP/1.1', 'Host: a']],
    [400, origin, ['GET /api/v1/contracts/ HTTP/1.1', 'Host: a b']],
    [400, origin, ['NONSENSE', 'Host: a']],
    [431, origin, [`GET /${'x'.repeat(30_000)} HTTP/1.1`, 'Host: a']],
    [400, 'https://evil.example', ['GET /api/v1/contracts/%zz/ HTTP/1.1', 'Host: a']],
    [431, 'https://evil.example', [`GET /${'x'.repeat(30_000)} HTTP/1.1`, 'Host: a']]
  ] as const) {
    const answer = await send([...lines, `Origin: ${from}`])
    const allowed = /^access-control-allow-origin: (.*)\r$/im.exec(answer)?.[1]
    t.strictSame([answer.slice(9, 12), allowed], [String(status), from === origin ? origin : undefined], lines[0].slice(0, 40))
    t.equal(/^access-control-expose-headers: .*X-Request-Id/im.test(answer), from === origin)
    t.type(JSON.parse(answer.split('\r\n\r\n')[1]).detail, 'string')
  }
})
