import t from 'tap'
import { ConnectionError, createObraClient, failureOf, ObraError } from 'obra/client'
import type { ObraClientOptions, Tokens } from 'obra/client'
import { headers } from '../../../src/openapi/headers.ts'
import { garbage } from './proxy.ts'
import { None } from '../../support/none.ts'

const tokens: Tokens = { access: `x.${btoa(JSON.stringify({ user_id: 1, exp: 1 }))}.1`, refresh: 'r' }
const expired = () => Response.json({ detail: 'Expired.', code: 'token_not_valid', messages: [] }, { status: 401 })

/** A client of a service that gives the answer of the path's end. */
function against (answers: Record<string, () => Response>, options: ObraClientOptions = {}) {
  const ended: Error[] = []
  const stored: Tokens[] = []
  const client = createObraClient({
    baseUrl: 'http://obra.example',
    tokens,
    retries: 0,
    onTokens: (pair) => { stored.push(pair) },
    onLogout: (error) => { ended.push(error) },
    fetch: async ({ url }) => (answers[new URL(url).pathname.split('/').at(-2) ?? ''] ?? expired)(),
    ...options
  })
  return { client, ended, stored }
}

for (const [name, answer] of Object.entries(garbage)) {
  t.test(`an answer that is not the service's ends no session, and is no data: ${name}`, async (t) => {
    const isRedirect = name.startsWith('a redirect')
    const answers: Record<string, () => Response> = { me: expired, 'api-token-refresh': answer, 'api-token-auth': answer, contracts: answer }
    const { client, ended, stored } = against(answers)
    const wanted = { name: 'ObraError', code: isRedirect ? 'redirected' : 'proxy_error' }
    const thrown = await client.GET('/api/v1/me/').catch((error: unknown) => error)
    t.match([thrown, failureOf(thrown)], [wanted, 'proxy_error'])
    await t.rejects(client.logIn({ email: 'a', password: 'b' }), wanted)
    t.match([ended, stored, client.user], [None, None, 1])
    const next: Tokens = { ...tokens, refresh: 'next' }
    Object.assign(answers, { 'api-token-refresh': () => Response.json(next) })
    await client.GET('/api/v1/me/')
    t.strictSame(stored, [next], 'the tokens are used again')
    await t.rejects(client.all('/api/v1/contracts/').next(), wanted)
    const { access } = tokens
    const { client: script } = against({ 'api-token-auth': answer }, { email: 'a', password: 'b', tokens: { access, refresh: '' } })
    await t.rejects(script.logIn({ email: 'a', password: 'b' }), wanted)
  })
}

t.test('an error of the service ends the session, and has its code', async (t) => {
  const { client, ended } = against({ 'api-token-refresh': () => Response.json({ detail: 'Over.', code: 'token_not_valid' }, { status: 401 }) })
  const thrown = await client.GET('/api/v1/me/').catch((error: unknown) => error)
  t.match([thrown, failureOf(thrown), ended], [{ status: 401, code: 'token_not_valid', message: 'Over.' }, 'session_ended', [thrown]])
})

t.test('failures have one of few codes', async (t) => {
  const answered = (status: number, body: object) => new ObraError(body, Response.json(body, { status }))
  const codes: Array<[unknown, string]> = [
    [answered(429, { detail: 'Wait.', code: 'throttled' }), 'server_busy'],
    [answered(503, { detail: 'Busy.', code: 'unavailable' }), 'server_busy'],
    [answered(500, { detail: 'Failed.', code: 'error' }), 'server_error'],
    [answered(403, { detail: 'No.', code: 'permission_denied' }), 'refused'],
    [answered(400, { detail: 'Invalid.', errors: { folio: ['Blank.'] } }), 'refused'],
    [answered(502, { message: 'Bad Gateway' }), 'proxy_error'],
    [new ConnectionError(new TypeError('fetch failed')), 'offline'],
    [new DOMException('Too long.', 'TimeoutError'), 'offline'],
    [new Error('The disk is full.'), 'failed'],
    [undefined, 'failed']
  ]
  for (const [error, code] of codes) t.equal(failureOf(error), code, String(error))
  const { client } = against({}, { fetch: async () => await Promise.reject(new TypeError('fetch failed')) })
  const lost = await client.GET('/api/v1/me/').catch((error: unknown) => error)
  t.match([lost instanceof TypeError, lost], [true, { message: 'fetch failed', code: 'offline', cause: { message: 'fetch failed' } }])
})

t.test('the client waits for the window of the rate limit, but not in a log-in', async (t) => {
  const longest = (headers['RateLimit-Reset'] as { schema: { maximum: number } }).schema.maximum
  const { clearTimeout: clear, setTimeout: set } = globalThis
  t.teardown(() => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }))
  const waits: number[] = []
  Object.assign(globalThis, { setTimeout: (work: () => void, ms: number) => set(work, ms >= 1_000 ? Number(waits.push(ms)) * 0 : ms) })
  const busy = (seconds: number) => Response.json({ detail: 'Wait.', code: 'throttled' }, { status: 429, headers: { 'retry-after': String(seconds) } })
  for (const [seconds, options, isWaited] of [[longest, {}, true], [longest + 1, {}, false], [longest, { maxWaitSeconds: 30 }, false], [longest, { longestWait: 30 }, false]] as const) {
    let requests = 0
    const { client } = against({ me: () => (requests += 1) === 1 ? busy(seconds) : Response.json({ id: 1 }) }, { retries: 3, ...options })
    t.equal((await client.GET('/api/v1/me/')).response.status, isWaited ? 200 : 429)
    t.equal(waits.splice(0).includes(seconds * 1000), isWaited)
  }
  let logIns = 0
  const { client } = against({ 'api-token-auth': () => { logIns += 1; return busy(1) } }, { retries: 3 })
  await t.rejects(client.logIn({ email: 'a', password: 'b' }), { status: 429, code: 'throttled' })
  t.equal(logIns, 1)
})

t.test('a path that cannot be right is named with the right one', async (t) => {
  const { client } = against({})
  const get = client.GET as (path: unknown, options?: object) => Promise<unknown>
  await t.rejects(get('/api/v1/contracts'), { name: 'TypeError', message: "GET /api/v1/contracts: the paths of the service end with a slash. Use '/api/v1/contracts/'." })
  await t.rejects(get('/api/v1/contracts?page=2'), { message: /Use '\/api\/v1\/contracts\/\?page=2'/ })
  await t.rejects(get('/api/v1/contracts/{id}/'), { message: 'GET /api/v1/contracts/{id}/: pass id in { params: { path: { id: … } } }.' })
  await t.rejects(get(undefined), { message: "GET needs a path such as '/api/v1/contracts/', not undefined." })
})
