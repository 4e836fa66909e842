import { mock } from 'node:test'
import t from 'tap'
import { decode, expired } from '../../../../../support/forge.ts'
import { build, buildOn, openAgain, type Client } from '../../../../../support/helper.ts'

const server = await build(t)
const { app, as, psql } = server
const url = '/api/v1/api-token-refresh/'

async function refresh (token: string, access: string, headers: Record<string, string> = {}) {
  return await app.inject({ method: 'POST', url, payload: { refresh: token }, headers: { authorization: `Bearer ${access}`, ...headers } })
}

const isIn = async (access: string) =>
  (await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${access}` } })).statusCode === 200

/** Moves the session's spent tokens back in time. */
async function wait ({ access }: Pick<Client, 'access'>, seconds: number): Promise<void> {
  await psql('update refresh_tokens set spent_at = spent_at - make_interval(secs => $2) where session_id = $1 and spent_at is not null', [decode(access).claims['sid'], seconds])
}

t.test('a refresh token returns the next pair of its session and is spent', async (t) => {
  const first = await as('director@demo.example')
  const response = await refresh(first.refresh, first.access)
  t.equal(response.statusCode, 200)
  t.strictSame(Object.keys(response.json()).sort(), ['access', 'refresh'])
  for (const type of ['access', 'refresh'] as const) {
    const { claims } = decode(response.json()[type])
    const { claims: before } = decode(first[type])
    t.match(claims, { token_type: type, user_id: before['user_id'], sid: before['sid'], jti: /^[0-9a-f]{32}$/ })
    t.not(claims['jti'], before['jti'])
    t.equal((claims['exp'] as number) - (claims['iat'] as number), type === 'access' ? 3600 : 604_800, 'the full lifetime')
  }
  t.ok(await isIn(response.json().access))
  t.ok(await isIn(first.access), 'the old access token stays valid for its hour')

  const verified = async (token: string) => (await first.post('api-token-verify/', { token })).statusCode
  t.equal(await verified(first.refresh), 401)
  t.equal(await verified(response.json().refresh), 200)
})

t.test('a hundred parallel refreshes with one token give one successor, and nobody is logged out', async (t) => {
  const { access, refresh: token } = await as('coordinador@demo.example')
  const answers = await Promise.all(Array.from({ length: 100 }, async () => await refresh(token, access)))
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  t.equal(new Set(answers.map(({ body }) => body)).size, 1, 'the same two tokens, byte for byte')
  const next = answers[0]?.json() as Client
  t.ok(await isIn(access))
  t.ok(await isIn(next.access))
  t.equal((await refresh(next.refresh, next.access)).statusCode, 200, 'and the session continues')
})

t.test('within 30 s a spent token returns the same successor, even if that is spent too', async (t) => {
  const first = await as('director@demo.example')
  const second = await refresh(first.refresh, first.access)
  t.ok(await isIn(second.json().access))
  await wait(first, 20)
  t.strictSame((await refresh(first.refresh, first.access)).json(), second.json(), 'a lost answer is sent again')

  const third = await refresh(second.json().refresh, second.json().access)
  t.equal(third.statusCode, 200)
  t.ok(await isIn(third.json().access))
  t.strictSame((await refresh(first.refresh, first.access)).json(), second.json(), 'the grandparent of the live token')
  t.strictSame((await refresh(second.json().refresh, second.json().access)).json(), third.json())
  t.ok(await isIn(third.json().access))
})

t.test('however late, a spent token returns the same successor while that is unused, with full lifetimes', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const first = await as('coordinador@demo.example')
  const lost = (await refresh(first.refresh, first.access)).json() as Client
  for (const seconds of [31, 3600, 2 * 86_400]) {
    mock.timers.tick(seconds * 1000)
    await wait(first, seconds)
    const answer = await refresh(first.refresh, first.access)
    t.equal(answer.statusCode, 200, `after ${seconds} s`)
    for (const type of ['access', 'refresh'] as const) {
      const { claims } = decode(answer.json()[type])
      t.equal(claims['jti'], decode(lost[type]).claims['jti'], 'the same token')
      t.equal(claims['iat'], Math.floor(Date.now() / 1000), 'issued now')
      t.equal((claims['exp'] as number) - (claims['iat'] as number), type === 'access' ? 3600 : 604_800)
    }
    t.strictSame((await refresh(first.refresh, first.access)).json(), answer.json(), 'two tabs get the same')
  }
  mock.timers.tick(60_000)
  await wait(first, 60)
  const found = (await refresh(first.refresh, first.access)).json() as Client
  t.ok(await isIn(found.access))
  const next = await refresh(found.refresh, found.access)
  t.equal(next.statusCode, 200, 'and the session continues')
  t.ok(await isIn(next.json().access))
})

t.test('each way to use the successor ends the repetition', async (t) => {
  const url = '/api/v1/api-token-refresh/'
  const uses: Record<string, (next: Client) => Promise<number>> = {
    'a request': async ({ access }) => (await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${access}` } })).statusCode,
    'a refused request': async ({ access }) => (await app.inject({ url: '/api/v1/contracts/0/', headers: { authorization: `Bearer ${access}` } })).statusCode,
    'a refresh': async next => (await refresh(next.refresh, next.access)).statusCode,
    'a failed refresh with the access token, expired': async ({ access }) => (await app.inject({ method: 'POST', url, payload: {}, headers: { authorization: `Bearer ${expired(access)}` } })).statusCode
  }
  for (const [what, use] of Object.entries(uses)) {
    const first = await as('director@demo.example')
    const next = (await refresh(first.refresh, first.access)).json() as Client
    t.ok([200, 400, 404].includes(await use(next)), what)
    await wait(first, 31)
    const late = await refresh(first.refresh, first.access)
    t.equal(late.statusCode, 401, what)
    t.strictSame(late.json(), { detail: 'Token is blacklisted', code: 'token_not_valid' }, what)
    t.notOk(await isIn(next.access), `${what}: the session has ended`)
  }

  const notUses: Record<string, (first: Client, next: Client) => Promise<unknown>> = {
    'a request with the access token before it': async first => await isIn(first.access),
    'a verification of its tokens': async (first, next) => await Promise.all([next.access, next.refresh].map(async token => await first.post('api-token-verify/', { token }))),
    'a request with a forged access token': async (_first, next) => await isIn(`${next.access}x`)
  }
  for (const [what, use] of Object.entries(notUses)) {
    const first = await as('director@demo.example')
    const next = (await refresh(first.refresh, first.access)).json() as Client
    await use(first, next)
    await wait(first, 31)
    t.equal((await refresh(first.refresh, first.access)).statusCode, 200, what)
  }
})

t.test('a use in one process ends the repetition in every process', async (t) => {
  const other = await buildOn(t, await openAgain(server))
  const first = await as('director@demo.example')
  const next = (await refresh(first.refresh, first.access)).json() as Client
  t.equal((await other.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${next.access}` } })).statusCode, 200)
  await wait(first, 31)
  t.equal((await refresh(first.refresh, first.access)).statusCode, 401)
  t.equal((await other.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${next.access}` } })).statusCode, 401)
})

t.test('many late repetitions at once give one successor, and nobody is logged out', async (t) => {
  const first = await as('director@demo.example')
  const lost = (await refresh(first.refresh, first.access)).json() as Client
  await wait(first, 86_400)
  const answers = await Promise.all(Array.from({ length: 40 }, async () => await refresh(first.refresh, first.access)))
  t.ok(answers.every(({ statusCode }) => statusCode === 200))
  t.strictSame([...new Set(answers.map(answer => decode(answer.json().refresh).claims['jti']))], [decode(lost.refresh).claims['jti']])
  t.ok(await isIn(answers[7]?.json().access))
  t.equal((await refresh(answers[3]?.json().refresh, answers[3]?.json().access)).statusCode, 200)
})

t.test('a token used after the grace period counts as stolen: the session ends for all holders, and it is logged', async (t) => {
  const { warn } = app.log
  const logged: unknown[][] = []
  app.log.warn = (...args: unknown[]) => { logged.push(args) }
  t.teardown(() => { app.log.warn = warn })

  const other = await as('director@demo.example')
  const first = await as('director@demo.example')
  const second = (await refresh(first.refresh, first.access)).json() as Client
  t.ok(await isIn(second.access))
  t.equal(logged.length, 0)
  await wait(first, 31)

  const stolen = await refresh(first.refresh, first.access)
  t.equal(stolen.statusCode, 401)
  t.equal(stolen.headers['www-authenticate'], 'Bearer realm="api"')
  t.strictSame(stolen.json(), { detail: 'Token is blacklisted', code: 'token_not_valid' })

  const { sid, user_id: user } = decode(first.access).claims
  t.equal(logged.length, 1)
  t.match(logged[0]?.[0], { sid, user })
  for (const token of [first.access, first.refresh, second.access, second.refresh]) t.notOk(JSON.stringify(logged).includes(token), 'no token is in the log')

  t.notOk(await isIn(first.access))
  t.notOk(await isIn(second.access))
  t.equal((await refresh(second.refresh, second.access)).statusCode, 401, 'both the thief and the owner are logged out')
  const [session] = await psql('select revoked_at is not null as revoked from sessions where id = $1', [sid])
  t.same(session, { revoked: true })
  t.ok(await isIn(other.access), 'the user’s other sessions continue')
})

t.test('a token two rotations old counts as stolen too, although its hash is no longer stored', async (t) => {
  const first = await as('coordinador@demo.example')
  let last: Client = first
  for (let time = 1; time <= 3; time++) {
    last = (await refresh(last.refresh, last.access)).json()
    await wait(first, 31)
  }
  t.equal((await psql('select from refresh_tokens where session_id = $1', [decode(first.access).claims['sid']])).length, 2)
  t.equal((await refresh(first.refresh, last.access)).statusCode, 401)
  t.notOk(await isIn(last.access))
})

t.test('a session ends 90 days after the log-in, however often it is refreshed', async (t) => {
  const first = await as('director@demo.example')
  const { sid } = decode(first.access).claims
  const expiry = async () => (await psql('select expires_at from sessions where id = $1', [sid]))[0]?.['expires_at']
  const before = await expiry()
  const second = (await refresh(first.refresh, first.access)).json() as Client
  t.equal(await expiry(), before, 'a refresh does not move the end')

  await psql("update sessions set expires_at = clock_timestamp() - interval '1 millisecond' where id = $1", [sid])
  t.notOk(await isIn(second.access))
  const refused = await refresh(second.refresh, second.access)
  t.equal(refused.statusCode, 401)
  t.equal(refused.json().code, 'token_not_valid')
})
