import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { createObraClient } from 'obra/client'
import type { ObraClientOptions, Tokens } from 'obra/client'

type Outcome = 'right' | 'wrong' | 'lost'
/** `answer` answers the given one of the requests that wait: log-ins as they say, refreshes with new tokens. */
type Step = { logIn: number, outcome: Outcome } | 'logOut' | 'request' | { answer: number }

const [alice, bob, carol] = [1, 2, 3]
let pairs = 0
const pair = (user: number): Tokens => {
  pairs += 1
  return { access: `x.${btoa(JSON.stringify({ user_id: user, exp: 1 }))}.${pairs}`, refresh: `${user}` }
}
const userOf = (access: string): number => JSON.parse(atob(access.split('.')[1] as string)).user_id
const refused = (code: string, extra = {}) => Response.json({ detail: code, code, ...extra }, { status: 401 })
const settled = async () => { for (let turn = 0; turn < 10; turn++) await setImmediate() }

/** A client of alice, whose access token has expired, and a service that holds its answers with tokens. */
function start (options: ObraClientOptions = {}) {
  const first = pair(alice)
  const waiting: Array<() => void> = []
  const stored = [first]
  const ended: Error[] = []
  const revoked: string[] = []
  let sent: string | undefined
  const answers: Record<string, (body: any, access: string) => Promise<Response>> = {
    'api-token-auth': async ({ email, password }) => {
      await new Promise<void>(resolve => waiting.push(resolve))
      if (password === 'lost') throw new TypeError('fetch failed')
      return password === 'wrong' ? refused('no_active_account') : Response.json(pair(Number(email)))
    },
    'api-token-refresh': async ({ refresh }) => {
      await new Promise<void>(resolve => waiting.push(resolve))
      return Response.json(pair(Number(refresh)))
    },
    'api-token-revoke': async (_, access) => {
      revoked.push(access)
      return new Response(null, { status: 204 })
    },
    me: async (_, access) => {
      sent = access
      return access === first.access ? refused('token_not_valid', { messages: [] }) : Response.json({ id: userOf(access) })
    }
  }
  const client = createObraClient({
    baseUrl: 'http://obra.example',
    retries: 0,
    tokens: first,
    onTokens: async (tokens) => {
      await setImmediate()
      stored.push(tokens)
    },
    onLogout: error => { ended.push(error) },
    fetch: async (request) => {
      const name = new URL(request.url).pathname.split('/').at(-2) as string
      const access = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
      return await answers[name]?.(await request.json().catch(() => undefined), access) as Response
    },
    ...options
  })
  const answer = async (index = 0) => {
    waiting.splice(index, 1)[0]?.()
    await settled()
  }
  return { client, waiting, stored, ended, revoked, answer, lastSent: () => sent }
}

const logInOf = (user: number, password = 'right') => ({ email: `${user}`, password })
const ending = async (call: Promise<unknown>): Promise<unknown> => await call.then(() => 'done', error => error.code ?? error.name)

/** Runs the steps, and checks this rule after each: the last call that has succeeded decides, and a failed call changes nothing. */
async function follow (steps: Step[]) {
  const { client, waiting, stored, ended, answer, lastSent } = start()
  const decided: { call: number, user: number | undefined } = { call: 0, user: alice }
  let [calls, changes] = [0, 0]
  const decide = (call: number, user?: number) => {
    changes += 1
    Object.assign(decided, { call, user })
  }
  const runs: Array<Promise<void>> = []
  const request = async () => {
    const [{ user }, before] = [{ ...decided }, changes]
    const result = await client.GET('/api/v1/me/').then(({ data, response }) => data?.id ?? response.status, error => error.code)
    if (user === undefined) return
    assert.ok([user, ...changes > before ? [401, 'user_changed'] : []].includes(result), `a request of user ${user} ends with ${result}`)
  }
  const logIn = async (user: number, outcome: Outcome, call: number) => {
    const result = await ending(client.logIn(logInOf(user, outcome)))
    if (outcome !== 'right') {
      assert.equal(result, outcome === 'wrong' ? 'no_active_account' : 'offline')
      return
    }
    if (call > decided.call) decide(call, user)
    assert.equal(result, decided.user === user ? 'done' : decided.user === undefined ? 'not_authenticated' : 'user_changed')
  }
  const run = async (step: Step) => {
    if (step === 'request') runs.push(request())
    else if (step === 'logOut') {
      decide(calls += 1)
      const out = ending(client.logOut())
      runs.push(out.then(result => { assert.equal(result, 'done') }))
    } else if ('logIn' in step) runs.push(logIn(step.logIn, step.outcome, calls += 1))
    else if (waiting.length > 0) await answer(step.answer % waiting.length)
    await settled()
    assert.equal(client.user, decided.user, 'the last call that has succeeded decides')
  }
  for (const step of steps) await run(step)
  while (waiting.length > 0) await run({ answer: 0 })
  await Promise.all(runs)
  assert.deepEqual(ended, [])
  if (client.user === undefined) return
  const next = client.GET('/api/v1/me/')
  await settled()
  while (waiting.length > 0) await answer()
  assert.equal((await next).data?.id, client.user)
  assert.equal(lastSent(), stored.at(-1)?.access, 'the app has stored the tokens that the client uses')
}

const cases: Record<string, Step[]> = {
  'a log-in fails during a refresh': ['request', { logIn: bob, outcome: 'wrong' }, { answer: 1 }, { answer: 0 }, 'request'],
  'a log-in fails after a refresh': ['request', { logIn: bob, outcome: 'lost' }, { answer: 0 }, { answer: 0 }, 'request'],
  'two log-ins fail': [{ logIn: bob, outcome: 'wrong' }, { logIn: bob, outcome: 'wrong' }, { answer: 0 }, { answer: 0 }, 'request'],
  'the second of two log-ins fails first': [{ logIn: bob, outcome: 'right' }, { logIn: carol, outcome: 'wrong' }, { answer: 1 }, { answer: 0 }],
  'the first of two log-ins succeeds last': [{ logIn: bob, outcome: 'right' }, { logIn: carol, outcome: 'right' }, { answer: 1 }],
  'both taps on a button succeed': [{ logIn: bob, outcome: 'right' }, { logIn: bob, outcome: 'right' }, { answer: 1 }],
  'a request is sent during a log-in that fails': [{ logIn: bob, outcome: 'wrong' }, 'request', { answer: 0 }],
  'a log-out comes before the answer to a log-in': [{ logIn: bob, outcome: 'right' }, 'logOut', { answer: 0 }]
}
for (const [name, steps] of Object.entries(cases)) t.test(name, async (t) => { await t.resolves(follow(steps)) })

t.test('any log-ins, log-outs, requests and answers, in any order', async (t) => {
  const step = fc.oneof(
    fc.record({ logIn: fc.constantFrom(alice, bob, carol), outcome: fc.constantFrom<Outcome>('right', 'wrong', 'lost') }),
    fc.constantFrom<Step>('request', 'request', 'logOut'),
    fc.record({ answer: fc.nat({ max: 3 }) }),
    fc.record({ answer: fc.nat({ max: 3 }) })
  )
  await t.resolves(fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 8 }), follow), { numRuns: 300 }))
})

t.test('without a session, a request waits for the log-in', async (t) => {
  const { client, answer } = start({ tokens: undefined })
  const [logsIn, request] = [client.logIn(logInOf(bob)), client.GET('/api/v1/me/')]
  await settled()
  await answer()
  await logsIn
  t.match(await request, { data: { id: bob } })
})

t.test('a log-in whose tokens cannot be stored changes nothing', async (t) => {
  const held = Promise.withResolvers<void>()
  const stored: number[] = []
  const { client, answer } = start({
    onTokens: async ({ access }) => {
      if (userOf(access) === bob) await held.promise
      stored.push(userOf(access))
    }
  })
  const logsIn = ending(client.logIn(logInOf(bob)))
  const request = client.GET('/api/v1/me/')
  await settled()
  await answer()
  await answer()
  t.strictSame(stored, [], 'the tokens of the refresh wait for those of the log-in')
  held.reject(new RangeError('full'))
  t.equal(await logsIn, 'RangeError')
  t.match(await request, { data: { id: alice } })
  t.strictSame([client.user, stored], [alice, [alice]])
})

t.test('a log-out while the tokens of a log-in are being stored ends this session too', async (t) => {
  const held = Promise.withResolvers<void>()
  const { client, answer, revoked } = start({ tokens: undefined, onTokens: async () => { await held.promise } })
  const logsIn = ending(client.logIn(logInOf(bob)))
  await settled()
  await answer()
  await client.logOut()
  held.resolve()
  t.equal(await logsIn, 'not_authenticated')
  await settled()
  t.strictSame([client.user, revoked.map(userOf)], [undefined, [bob]])
})
