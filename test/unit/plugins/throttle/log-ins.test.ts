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

/** Advances the clock by seconds. */
function pass (seconds: number) {
  ahead += seconds * 1000
}

t.test('after too many failures an address must wait before any attempt at the account', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 3, LOGIN_WINDOW_SECONDS: 50 })
  for (let failure = 1; failure <= 3; failure++) t.equal((await wrong(app)).statusCode, 401)

  const refused = await right(app)
  t.equal(refused.statusCode, 429)
  const wait = Number(refused.headers['retry-after'])
  t.ok(Number.isInteger(wait) && wait >= 45 && wait <= 50, `Retry-After: ${wait}`)
  t.strictSame(refused.json(), { detail: `Request was throttled. Expected available in ${wait} seconds.`, code: 'throttled' })
  const inSpanish = await post(app, director, 'demo-obra-1', { headers: { 'accept-language': 'es' } })
  t.match(inSpanish.json(), { detail: /^Solicitud fue regulada \(throttled\)\. Se espera que esté disponible en \d+ segundos\.$/, code: 'throttled' })

  t.equal((await right(app, 'DIRECTOR@demo.example ')).statusCode, 429, 'the email in another case is the same account')
  t.equal((await post(app, director, 'demo-obra-1', elsewhere)).statusCode, 200, 'the owner at another address is not limited')
  t.equal((await right(app, 'coordinador@demo.example')).statusCode, 200, 'another account is not limited')

  pass(51)
  t.equal((await right(app)).statusCode, 200, 'after the wait')
  for (let failure = 1; failure <= 3; failure++) t.equal((await wrong(app)).statusCode, 401, 'a success resets the count')
})

t.test('addresses of one IPv6 /64 network count as one', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 1 })
  const from = async (remoteAddress: string) => (await post(app, director, 'wrong', { remoteAddress })).statusCode
  t.strictSame([await from('2001:db8:0:1::1'), await from('2001:db8:0:1:ffff::2'), await from('2001:db8:0:2::1')], [401, 429, 401])
})

t.test('guessing from many addresses delays unknown addresses at the account, but not the owner', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 1 })
  const from = async (host: string, password = 'demo-obra-1') => (await post(app, director, password, { remoteAddress: host }))
  const guess = async (host: number) => (await from(`198.51.100.${host}`, 'wrong')).statusCode
  t.equal((await from('203.0.113.7')).statusCode, 200)
  for (let host = 1; host <= 10; host++) t.equal(await guess(host), 401)
  t.equal(await guess(11), 429, 'ten times as many as from one address')

  t.equal((await from('192.0.2.1')).statusCode, 429, 'with any password')
  t.equal((await from('203.0.113.7')).statusCode, 200, 'the owner has a known address')
  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', { remoteAddress: '192.0.2.1' })).statusCode, 200, 'another account is not limited')
  pass(61)
  t.strictSame([await guess(11), await guess(12)], [401, 429])
  t.match((await from('192.0.2.1')).headers['retry-after'], /^1[12]\d$/, 'each further failure doubles the wait')
  pass(121)
  t.equal((await from('192.0.2.1')).statusCode, 200)
})

t.test('guessing at many accounts from one address delays accounts unknown there, but not known ones', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ADDRESS: 3 })
  const nat = { remoteAddress: '198.51.100.200' }
  const spray = async (number: number) => (await post(app, `somebody-${number}@demo.example`, 'Verano2026', nat)).statusCode
  t.equal((await post(app, director, 'demo-obra-1', nat)).statusCode, 200)
  t.strictSame([await spray(1), await spray(2), await spray(3), await spray(4)], [401, 401, 401, 429])

  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', nat)).statusCode, 429, 'with any password')
  t.strictSame([(await post(app, director, 'wrong', nat)).statusCode, (await post(app, director, 'demo-obra-1', nat)).statusCode], [401, 200], 'a known account may even fail once')
  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', elsewhere)).statusCode, 200, 'other addresses are not limited')
  pass(121)
  t.equal((await post(app, 'coordinador@demo.example', 'demo-obra-1', nat)).statusCode, 200)
  t.strictSame([await spray(5), await spray(6)], [401, 429], 'a success does not reset this count, because an attacker may have an account')
})

t.test('an unknown account is limited like a known one', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 2 })
  for (const email of [director, 'nobody@demo.example']) {
    const answers = [await wrong(app, email), await wrong(app, email), await wrong(app, email)]
    t.strictSame(answers.map(({ statusCode }) => statusCode), [401, 401, 429], email)
  }
})

t.test('an address has a limited number of attempts over all accounts, correct or not', async (t) => {
  const app = await buildOn(t, database, { LOGIN_ATTEMPTS_PER_ADDRESS: 3 })
  t.equal((await right(app)).statusCode, 200)
  t.equal((await wrong(app)).statusCode, 401)
  t.equal((await wrong(app, 'nobody@demo.example')).statusCode, 401)
  const refused = await right(app, 'coordinador@demo.example')
  t.equal(refused.statusCode, 429)
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/)
  t.equal(refused.json().code, 'throttled')

  t.equal((await post(app, director, 'demo-obra-1', { headers: { 'x-forwarded-for': '198.51.100.9' } })).statusCode, 429, 'an untrusted X-Forwarded-For is ignored')
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

t.test('an invalid body does not count as an attempt', async (t) => {
  const app = await buildOn(t, database, { LOGIN_ATTEMPTS_PER_ADDRESS: 1, LOGIN_FAILURES_PER_ACCOUNT: 1 })
  for (let time = 1; time <= 3; time++) t.equal((await post(app, director, '')).statusCode, 400)
  t.equal((await right(app)).statusCode, 200)
})
