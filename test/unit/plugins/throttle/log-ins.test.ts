import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { buildOn, openTestDatabase } from '../../../support/helper.ts'

const fresh = await openTestDatabase(t)
const database = { ...fresh.database, close: async () => {} } // the servers of the tests share it
const director = 'director@demo.example'

function post (app: FastifyInstance, email: string, password: string, more: { remoteAddress?: string, headers?: Record<string, string> } = {}) {
  return app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email, password }, ...more })
}

const right = (app: FastifyInstance, email = director) => post(app, email, 'demo-obra-1')
const wrong = (app: FastifyInstance, email = director) => post(app, email, 'wrong')

const elsewhere = { remoteAddress: '203.0.113.7' }
const now = performance.now
let ahead = 0
performance.now = () => now.call(performance) + ahead
t.teardown(() => { performance.now = now })

/** Lets so many seconds pass. */
function pass (seconds: number) {
  ahead += seconds * 1000
}

t.test('an address that failed too often at an account is refused there, whatever the password, until it has waited', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 3, LOGIN_WINDOW_SECONDS: 50 })
  for (let failure = 1; failure <= 3; failure++) t.equal((await wrong(app)).statusCode, 401)

  const refused = await right(app)
  t.equal(refused.statusCode, 429)
  const wait = Number(refused.headers['retry-after'])
  t.ok(Number.isInteger(wait) && wait >= 45 && wait <= 50, `Retry-After: ${wait}`)
  t.strictSame(refused.json(), { detail: `Request was throttled. Expected available in ${wait} seconds.`, code: 'throttled' })
  const inSpanish = await post(app, director, 'demo-obra-1', { headers: { 'accept-language': 'es' } })
  t.match(inSpanish.json(), { detail: /^Solicitud fue regulada \(throttled\)\. Se espera que esté disponible en \d+ segundos\.$/, code: 'throttled' })

  t.equal((await right(app, 'DIRECTOR@demo.example ')).statusCode, 429, 'it is the same account in another case')
  t.equal((await post(app, director, 'demo-obra-1', elsewhere)).statusCode, 200, 'its owner, elsewhere, is not concerned')
  t.equal((await right(app, 'coordinador@demo.example')).statusCode, 200, 'another account is not concerned')

  pass(51)
  t.equal((await right(app)).statusCode, 200, 'after the wait')
  for (let failure = 1; failure <= 3; failure++) t.equal((await wrong(app)).statusCode, 401, 'a success has made it forgotten')
})

t.test('each further failure doubles the wait, up to an hour', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 1, LOGIN_WINDOW_SECONDS: 1000, LOGIN_ATTEMPTS_PER_ADDRESS: 100 })
  for (const wait of [1000, 2000, 3600, 3600]) {
    t.equal((await wrong(app, 'auxiliar@demo.example')).statusCode, 401)
    const told = Number((await right(app, 'auxiliar@demo.example')).headers['retry-after'])
    t.ok(told <= wait && told > wait - 10, `Retry-After: ${told} of ${wait}`)
    pass(wait)
  }
})

t.test('addresses of one IPv6 network are one', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 1 })
  const from = async (remoteAddress: string) => (await post(app, director, 'wrong', { remoteAddress })).statusCode
  t.strictSame([await from('2001:db8:0:1::1'), await from('2001:db8:0:1:ffff::2'), await from('2001:db8:0:2::1')], [401, 429, 401])
})

t.test('who guesses from many addresses has those wait who never logged in from where they are, not the owner', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 1 })
  const from = async (host: string, password = 'demo-obra-1') => (await post(app, director, password, { remoteAddress: host }))
  const guess = async (host: number) => (await from(`198.51.100.${host}`, 'wrong')).statusCode
  t.equal((await from('203.0.113.7')).statusCode, 200)
  for (let host = 1; host <= 10; host++) t.equal(await guess(host), 401)
  t.equal(await guess(11), 429, 'ten times as many as from one address')

  t.equal((await from('192.0.2.1')).statusCode, 429, 'whatever the password')
  t.equal((await from('203.0.113.7')).statusCode, 200, 'the owner is where the owner was')
  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', { remoteAddress: '192.0.2.1' })).statusCode, 200, 'another account is not concerned')
  pass(61)
  t.strictSame([await guess(11), await guess(12)], [401, 429])
  t.match((await from('192.0.2.1')).headers['retry-after'], /^1[12]\d$/, 'each further failure doubles the wait')
  pass(121)
  t.equal((await from('192.0.2.1')).statusCode, 200)
})

t.test('who guesses at many accounts from one address has those wait who never logged in from there, not their neighbours', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ADDRESS: 3 })
  const nat = { remoteAddress: '198.51.100.200' }
  const spray = async (number: number) => (await post(app, `somebody-${number}@demo.example`, 'Verano2026', nat)).statusCode
  t.equal((await post(app, director, 'demo-obra-1', nat)).statusCode, 200)
  t.strictSame([await spray(1), await spray(2), await spray(3), await spray(4)], [401, 401, 401, 429])

  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', nat)).statusCode, 429, 'whatever the password')
  t.strictSame([(await post(app, director, 'wrong', nat)).statusCode, (await post(app, director, 'demo-obra-1', nat)).statusCode], [401, 200], 'a neighbour who has been there may even mistype')
  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', elsewhere)).statusCode, 200, 'elsewhere nobody is concerned')
  pass(121)
  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', nat)).statusCode, 200)
  t.strictSame([await spray(5), await spray(6)], [401, 429], 'a success has nothing of it forgotten: who guesses may have an account')
})

t.test('an account that does not exist is refused just as one that does', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 2 })
  for (const email of [director, 'nobody@demo.example']) {
    const answers = [await wrong(app, email), await wrong(app, email), await wrong(app, email)]
    t.strictSame(answers.map(({ statusCode }) => statusCode), [401, 401, 429], email)
  }
})

t.test('a success does not count, and has the failures of its address before it forgotten', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 2 })
  for (let success = 1; success <= 5; success++) t.equal((await right(app)).statusCode, 200)
  for (let time = 1; time <= 3; time++) {
    t.equal((await wrong(app)).statusCode, 401)
    t.equal((await right(app)).statusCode, 200)
  }
})

t.test('attempts sent all at once get no more tries than one after the other, and successes among them all pass', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 3 })
  const successes = await Promise.all(Array.from({ length: 8 }, async () => await right(app)))
  t.ok(successes.every(({ statusCode }) => statusCode === 200))

  const failures = await Promise.all(Array.from({ length: 12 }, async () => await wrong(app)))
  const statuses = failures.map(({ statusCode }) => statusCode)
  t.equal(statuses.filter(status => status === 401).length, 3)
  t.equal(statuses.filter(status => status === 429).length, 9)
})

t.test('an address has so many attempts, right or wrong, for whatever accounts', async (t) => {
  const app = await buildOn(t, database, { LOGIN_ATTEMPTS_PER_ADDRESS: 3 })
  t.equal((await right(app)).statusCode, 200)
  t.equal((await wrong(app)).statusCode, 401)
  t.equal((await wrong(app, 'nobody@demo.example')).statusCode, 401)
  const refused = await right(app, 'coordinador@demo.example')
  t.equal(refused.statusCode, 429)
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/)
  t.equal(refused.json().code, 'throttled')

  t.equal((await post(app, director, 'demo-obra-1', { headers: { 'x-forwarded-for': '198.51.100.9' } })).statusCode, 429, 'a header that nobody vouches for is no address')
  t.equal((await post(app, director, 'demo-obra-1', { remoteAddress: '203.0.113.7' })).statusCode, 200)
})

t.test('behind a trusted proxy the address is the client’s', async (t) => {
  const app = await buildOn(t, database, { LOGIN_ATTEMPTS_PER_ADDRESS: 1, TRUST_PROXY: '127.0.0.1' })
  const from = async (address: string) => await post(app, director, 'demo-obra-1', { headers: { 'x-forwarded-for': address } })
  t.equal((await from('198.51.100.9')).statusCode, 200)
  t.equal((await from('198.51.100.9')).statusCode, 429)
  t.equal((await from('198.51.100.10')).statusCode, 200)
})

t.test('RATE_LIMIT=off lifts the limits per address and keeps those per account', async (t) => {
  const app = await buildOn(t, database, { RATE_LIMIT: 'off', LOGIN_ATTEMPTS_PER_ADDRESS: 1, LOGIN_FAILURES_PER_ADDRESS: 1, LOGIN_FAILURES_PER_ACCOUNT: 1 })
  t.equal((await right(app)).statusCode, 200)
  t.equal((await right(app)).statusCode, 200)
  t.strictSame([(await wrong(app, 'auxiliar@demo.example')).statusCode, (await right(app, 'coordinador@demo.example')).statusCode], [401, 200])
  t.equal((await wrong(app)).statusCode, 401)
  const refused = await right(app)
  t.equal(refused.statusCode, 429)
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/)
})

t.test('a body that is refused as such is no attempt', async (t) => {
  const app = await buildOn(t, database, { LOGIN_ATTEMPTS_PER_ADDRESS: 1, LOGIN_FAILURES_PER_ACCOUNT: 1 })
  for (let time = 1; time <= 3; time++) t.equal((await post(app, director, '')).statusCode, 400)
  t.equal((await right(app)).statusCode, 200)
})
