import t from 'tap'
import { createObraClient, unwrap } from 'obra/client'
import type { ObraClientOptions, Tokens } from 'obra/client'

type Answer = (request: Request, body: any) => Response | Promise<Response>

const ok = (data: unknown = {}) => Response.json(data)
const refused = (extra: object = { messages: [] }) => Response.json({ detail: 'Given token not valid for any token type', code: 'token_not_valid', ...extra }, { status: 401 })
const lost = () => { throw new TypeError('fetch failed') }

/** A client of a fake service that answers by the last part of the path, and the log of requests: `me alice` is `me/` with the token `alice`. */
function against (answers: Record<string, Answer>, options: ObraClientOptions = {}) {
  const requests: string[] = []
  const stored: string[] = []
  const client = createObraClient({
    baseUrl: 'http://obra.example',
    retries: 0,
    onTokens: ({ access }) => { stored.push(access) },
    fetch: async (request) => {
      const name = new URL(request.url).pathname.split('/').at(-2) as string
      requests.push([name, request.headers.get('authorization')?.slice('Bearer '.length)].filter(Boolean).join(' '))
      return await (answers[name] ?? ok)(request, await request.clone().json().catch(() => undefined))
    },
    ...options
  })
  return { client, requests, stored }
}

const pair = (name: string): Tokens => ({ access: name, refresh: `refresh of ${name}` })
const logIn: Answer = (_request, { email }) => ok(pair(email.split('@')[0]))
const bob = { email: 'bob@demo.example', password: 'x' }

t.test('a request is not repeated as another user who has logged in meanwhile', async (t) => {
  const held = Promise.withResolvers<Response>()
  const begun = Promise.withResolvers<void>()
  const contracts = async () => {
    begun.resolve()
    return await held.promise
  }
  const { client, requests } = against({ contracts, 'api-token-auth': logIn }, { tokens: pair('alice') })
  const write = client.POST('/api/v1/contracts/', { body: { folio: 'OF-ALICE' } })
  await begun.promise
  await client.logOut()
  await client.logIn(bob)
  held.resolve(refused())
  t.equal((await write).response.status, 401)
  t.strictSame(requests.filter(name => name.startsWith('contracts')), ['contracts alice'])
})

t.test('a refresh that ends after another user has logged in stores nothing and ends nothing', async (t) => {
  for (const outcome of [() => ok(pair('alice again')), () => refused({})]) {
    const held = Promise.withResolvers<Response>()
    const begun = Promise.withResolvers<void>()
    const ended: Error[] = []
    const refresh = async () => {
      begun.resolve()
      return await held.promise
    }
    const { client, requests, stored } = against({
      me: ({ headers }) => headers.get('authorization') === 'Bearer alice' ? refused() : ok(),
      'api-token-refresh': refresh,
      'api-token-auth': logIn
    }, { tokens: pair('alice'), onLogout: error => { ended.push(error) } })
    const late = client.GET('/api/v1/me/').catch(() => undefined)
    await begun.promise
    await client.logIn(bob)
    held.resolve(outcome())
    await late
    await client.GET('/api/v1/me/')
    t.equal(requests.at(-1), 'me bob')
    t.strictSame(stored, ['bob'])
    t.strictSame(ended, [])
    t.equal(requests.filter(name => name === 'api-token-auth').length, 1)
  }
})

t.test('a log-in right after a log-out is not undone by it', async (t) => {
  const { client, requests } = against({ 'api-token-auth': logIn, 'api-token-revoke': () => new Response(null, { status: 204 }) }, { tokens: pair('alice') })
  await Promise.all([client.logOut(), client.logIn(bob)])
  await unwrap(client.GET('/api/v1/me/'))
  t.strictSame(requests.sort(), ['api-token-auth', 'api-token-revoke alice', 'me bob'])
})

t.test('a log-out during a refresh ends the new session and stores nothing; it fails if the service is unreachable', async (t) => {
  for (const isLost of [false, true]) {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const { client, requests, stored } = against({
      me: ({ headers }) => headers.get('authorization') === 'Bearer alice' ? refused() : ok(),
      'api-token-refresh': async () => {
        begun.resolve()
        await held.promise
        return isLost ? lost() : ok(pair('alice again'))
      },
      'api-token-revoke': () => new Response(null, { status: 204 })
    }, { tokens: pair('alice') })
    const late = client.GET('/api/v1/me/').catch(() => undefined)
    await begun.promise
    const out = client.logOut()
    held.resolve()
    if (isLost) await t.rejects(out, new TypeError('fetch failed'))
    else await out
    await late
    t.equal(requests.includes('api-token-revoke alice again'), !isLost)
    t.strictSame(stored, [])
  }
})

t.test('an aborted caller returns while others wait for the log-in', async (t) => {
  const held = Promise.withResolvers<Response>()
  const { client, requests } = against({ 'api-token-auth': async () => await held.promise }, bob)
  const abort = new AbortController()
  const impatient = client.GET('/api/v1/me/', { signal: abort.signal })
  const patient = client.GET('/api/v1/me/')
  abort.abort()
  const first = await Promise.race([impatient.catch(error => error.name), new Promise(resolve => setImmediate(resolve, 'still waiting'))])
  held.resolve(ok(pair('bob')))
  t.equal(first, 'AbortError')
  t.equal((await patient).response.status, 200)
  await impatient.catch(() => undefined)
  t.strictSame(requests, ['api-token-auth', 'me bob'])
})

t.test('a password that is no longer valid ends the session with a clear error', async (t) => {
  const ended: Error[] = []
  const { client, requests } = against({
    me: () => refused(),
    'api-token-refresh': () => refused({}),
    'api-token-auth': () => Response.json({ detail: 'No active account found with the given credentials', code: 'no_active_account' }, { status: 401 })
  }, { ...bob, tokens: pair('bob'), onLogout: error => { ended.push(error) } })
  await t.rejects(client.GET('/api/v1/me/'), { code: 'no_active_account' })
  await t.rejects(client.GET('/api/v1/me/'), { code: 'no_active_account' })
  t.match(ended, [{ code: 'no_active_account' }])
  t.equal(requests.length, 3)
})

t.test('tokens that are refused when new are renewed once per request', async (t) => {
  const { client, requests } = against({ me: () => refused(), 'api-token-refresh': () => ok(pair('next')) }, { tokens: pair('bob') })
  t.equal((await client.GET('/api/v1/me/')).response.status, 401)
  t.strictSame(requests, ['me bob', 'api-token-refresh bob', 'me next'])
})

t.test('a password change has no Idempotency-Key, which the service ignores, and is sent once', async (t) => {
  const { client, requests } = against({ password: ({ headers }) => headers.has('idempotency-key') ? ok() : lost() }, { tokens: pair('bob'), retries: 3 })
  await t.rejects(client.POST('/api/v1/me/password/', { body: { current: 'x', new: 'a longer pass phrase' } }), new TypeError('fetch failed'))
  t.equal(requests.length, 1)
})
