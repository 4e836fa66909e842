import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { decode, isSignedWith } from '../../../support/forge.ts'
import { buildOn, logIn, openTestDatabase, secret } from '../../../support/helper.ts'

const fresh = await openTestDatabase(t)
const database = { ...fresh.database, close: async () => {} } // the servers of the tests share it
const newer = 'the key that comes after, 32 bytes or more: ñ'
const before = await buildOn(t, database)
const between = await buildOn(t, database, { JWT_SECRET: newer, JWT_SECRET_PREVIOUS: secret })
const after = await buildOn(t, database, { JWT_SECRET: newer })

const me = async (app: FastifyInstance, access: string) =>
  (await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${access}` } })).statusCode
const refresh = async (app: FastifyInstance, tokens: { access: string, refresh: string }) =>
  await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh: tokens.refresh }, headers: { authorization: `Bearer ${tokens.access}` } })

t.test('a key change ends no session', async (t) => {
  const old = await logIn(before, 'director@demo.example')
  t.equal(await me(between, old.access), 200)
  const verified = await between.inject({ method: 'POST', url: '/api/v1/api-token-verify/', payload: { token: old.refresh }, headers: { authorization: `Bearer ${old.access}` } })
  t.equal(verified.statusCode, 200)

  const response = await refresh(between, old)
  t.equal(response.statusCode, 200)
  const next = response.json()
  for (const type of ['access', 'refresh'] as const) {
    t.ok(isSignedWith(next[type], newer), 'new tokens are signed with the new key')
    t.notOk(isSignedWith(next[type], secret))
  }
  t.equal(await me(between, next.access), 200)
  t.equal(await me(after, next.access), 200, 'and stay valid without the old key')
  t.equal((await refresh(after, next)).statusCode, 200)
})

t.test('a refresh repeated on a server that already has the new key gets the same successor', async (t) => {
  const old = await logIn(before, 'director@demo.example')
  const first = (await refresh(before, old)).json()
  const again = await refresh(between, old)
  t.equal(again.statusCode, 200)
  for (const type of ['access', 'refresh'] as const) t.strictSame(decode(again.json()[type]).claims, decode(first[type]).claims)
  t.equal((await refresh(between, again.json())).statusCode, 200)
})

t.test('a key that is neither the current nor the previous one signs no valid token', async (t) => {
  const old = await logIn(before, 'director@demo.example')
  const future = await logIn(between, 'director@demo.example')
  t.equal(await me(after, old.access), 401, 'the old key afterwards')
  t.equal(await me(before, future.access), 401, 'the new key before the change')
  t.equal((await refresh(after, old)).statusCode, 401)
})
