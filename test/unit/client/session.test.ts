import t from 'tap'
import type { ObraError } from 'obra/client'
import { unwrap, type Tokens } from 'obra/client'
import { tokensOf } from '../../support/over-http.ts'
import { expired } from '../../support/forge.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { listen } from './server.ts'
import { None } from '../../support/none.ts'

const server = await listen(t)
const director = { email: 'director@demo.example', password: demoPassword }
const pair = async () => await tokensOf(server.origin, director.email, director.password)
const refreshes = (sent: Array<{ path: string }>) => sent.filter(({ path }) => path.endsWith('/api-token-refresh/')).length
const logIns = (sent: Array<{ path: string }>) => sent.filter(({ path }) => path.endsWith('/api-token-auth/')).length

t.test('concurrent requests share the first log-in', async (t) => {
  const { obra, sent } = server.client()
  const answers = await Promise.all(Array.from({ length: 10 }, async () => await unwrap(obra.GET('/api/v1/me/'))))
  t.strictSame(new Set(answers.map(({ email }) => email)), new Set([director.email]))
  t.equal(logIns(sent), 1)
})

t.test('fifty requests with an expired access token share one refresh, whose tokens are stored', async (t) => {
  const first = await pair()
  const given: Tokens[] = []
  const { obra, sent } = server.client({ tokens: { ...first, access: expired(first.access) }, onTokens: tokens => { given.push(tokens) } })
  const folios = await Promise.all(Array.from({ length: 50 }, async (_, index) =>
    index % 2 === 0
      ? (await unwrap(obra.GET('/api/v1/contracts/{id}/', { params: { path: { id: 1 } } }))).folio
      : (await unwrap(obra.POST('/api/v1/contracts/', { body: { folio: `C-${index}` } }))).folio))
  t.strictSame(folios, Array.from({ length: 50 }, (_, index) => index % 2 === 0 ? 'ON-2026-001' : `C-${index}`))
  t.equal(refreshes(sent), 1)
  t.equal(sent.length, 101, 'each request was sent twice')
  t.equal(given.length, 1)
  t.not(given[0]?.refresh, first.refresh)

  const next = server.client({ tokens: given[0] })
  t.equal((await next.obra.GET('/api/v1/me/')).response.status, 200, 'the stored tokens continue the session')
  t.equal(next.sent.length, 1)
})

t.test('a revoked session ends with one clear error', async (t) => {
  const tokens = await pair()
  const ended: ObraError[] = []
  const { obra, sent } = server.client({ tokens, language: 'es', onLogout: error => { ended.push(error) } })
  await obra.GET('/api/v1/me/')
  await server.psql('delete from sessions where id = $1', [JSON.parse(atob(tokens.access.split('.')[1])).sid])

  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, async () => await obra.GET('/api/v1/me/')))
  for (const outcome of outcomes) {
    t.match(outcome, { status: 'rejected', reason: { name: 'ObraError', status: 401, code: 'token_not_valid', errors: None } })
  }
  t.strictSame(ended, [(outcomes[0] as PromiseRejectedResult).reason])
  t.match(ended[0]?.message, /^El token/)
  t.ok(ended[0]?.requestId)
  t.equal(refreshes(sent), 1)

  const before = sent.length
  await t.rejects(obra.GET('/api/v1/me/'), { code: 'token_not_valid' })
  t.equal(sent.length, before, 'no further request')

  await obra.logIn(director)
  t.equal((await unwrap(obra.GET('/api/v1/me/'))).email, director.email, 'a log-in starts another session')
})

t.test('a client with credentials logs in again when its session has ended', async (t) => {
  const tokens = await pair()
  const { obra, sent } = server.client({ tokens, ...director })
  await server.psql('delete from sessions where id = $1', [JSON.parse(atob(tokens.access.split('.')[1])).sid])
  t.equal((await unwrap(obra.GET('/api/v1/me/'))).email, director.email)
  t.strictSame([refreshes(sent), logIns(sent)], [1, 1])
})

t.test('a refresh without an answer is repeated by the next request', async (t) => {
  const first = await pair()
  let down = true
  const { obra } = server.client({
    tokens: { ...first, access: expired(first.access) },
    fetch: async (request) => {
      if (down && request.url.endsWith('/api-token-refresh/')) throw new TypeError('fetch failed')
      return await fetch(request)
    }
  })
  await t.rejects(obra.GET('/api/v1/me/'), new TypeError('fetch failed'))
  down = false
  t.equal((await obra.GET('/api/v1/me/')).response.status, 200)
})

t.test('a log-out revokes the session, also with an expired access token', async (t) => {
  const tokens = await pair()
  const { obra, sent } = server.client({ tokens: { ...tokens, access: expired(tokens.access) } })
  await obra.logOut()
  await t.rejects(obra.GET('/api/v1/me/'), { status: 401, code: 'not_authenticated' })
  t.equal(sent.at(-1)?.path, '/api/v1/api-token-revoke/')
  await t.rejects(server.client({ tokens }).obra.GET('/api/v1/me/'), { code: 'token_not_valid' })
  await obra.logOut()
})

t.test('a refused token in a request body does not cause a refresh', async (t) => {
  const { obra, sent } = server.client({ tokens: await pair() })
  const { error, response } = await obra.POST('/api/v1/api-token-verify/', { body: { token: 'x' } })
  t.match(error, { valid: false, code: 'token_not_valid' })
  t.equal(response.status, 401)
  t.equal(sent.length, 1)
})
