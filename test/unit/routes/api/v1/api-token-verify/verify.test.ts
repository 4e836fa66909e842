import t from 'tap'
import type { Test } from 'tap'
import { altered, decode, expired, forge } from '../../../../../support/forge.ts'
import { build } from '../../../../../support/helper.ts'

const { app, as, psql } = await build(t)
const director = await as('director@demo.example')
const coordinador = await as('coordinador@demo.example')
const verify = async (token: unknown, headers: Record<string, string> = {}) => await director.post('api-token-verify/', { token }, headers)

t.test('a valid token of any type and user is reported with its claims', async (t) => {
  for (const client of [director, coordinador]) {
    for (const type of ['access', 'refresh'] as const) {
      const { claims } = decode(client[type])
      const response = await verify(client[type])
      t.equal(response.statusCode, 200)
      t.strictSame(response.json(), { valid: true, token_type: type, user_id: claims['user_id'], exp: claims['exp'] })
    }
  }
})

async function refused (t: Test, token: string, detail: string, what: string) {
  const response = await verify(token)
  t.equal(response.statusCode, 401, what)
  t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', what)
  t.strictSame(response.json(), { valid: false, detail, code: 'token_not_valid' }, what)
}

t.test('an invalid token is reported as invalid, with the reason', async (t) => {
  await refused(t, 'rubbish', 'Token is invalid', 'rubbish')
  await refused(t, forge(decode(director.access).claims, { key: 'another key of 32 bytes or more, wrong' }), 'Token is invalid', 'signed by another key')
  await refused(t, altered(director.access, { sid: undefined }), 'Token is invalid', 'without a session')
  await refused(t, expired(director.access), 'Token is expired', 'expired')
  await refused(t, altered(director.refresh, { exp: 1_600_000_000, iat: 1_600_000_000 }), 'Token is expired', 'expired, refresh')
  await refused(t, altered(director.access, { user_id: decode(coordinador.access).claims['user_id'] }), 'Token is blacklisted', 'a session of another user')
  await refused(t, altered(director.access, { sid: '0b5e7b1e-3f43-4cf5-9d2a-6a1c1e0f9a77' }), 'Token is blacklisted', 'an absent session')

  const spanish = await verify('rubbish', { 'accept-language': 'es' })
  t.strictSame(spanish.json(), { valid: false, detail: 'El token es inválido', code: 'token_not_valid' })
})

t.test('a token of a session that is revoked, expired or without its user is not valid', async (t) => {
  const revoked = await as('auxiliar@demo.example')
  await revoked.post('api-token-revoke/', { refresh: revoked.refresh })
  const old = await as('auxiliar@demo.example')
  await psql("update sessions set expires_at = clock_timestamp() - interval '1 second' where id = $1", [decode(old.access).claims['sid']])
  const inactive = await as('corporativo@demo.example')
  await psql("update users set activo = false where email = 'corporativo@demo.example'")
  for (const [what, client] of Object.entries({ revoked, old, inactive })) {
    await refused(t, client.access, 'Token is blacklisted', what)
    await refused(t, client.refresh, 'Token is blacklisted', what)
  }
})

t.test('a spent refresh token is not valid, its successor is', async (t) => {
  const client = await as('director@demo.example')
  const next = (await client.post('api-token-refresh/', { refresh: client.refresh })).json()
  await refused(t, client.refresh, 'Token is blacklisted', 'spent')
  t.equal((await verify(next.refresh)).statusCode, 200)
})

t.test('errors of the caller’s own token have no `valid` field', async (t) => {
  const response = await app.inject({ method: 'POST', url: '/api/v1/api-token-verify/', payload: { token: director.access } })
  t.equal(response.statusCode, 401)
  t.strictSame(response.json(), { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' })
  const expiredCaller = await app.inject({ method: 'POST', url: '/api/v1/api-token-verify/', payload: { token: director.access }, headers: { authorization: `Bearer ${expired(director.access)}` } })
  t.equal(expiredCaller.statusCode, 401)
  t.notOk('valid' in expiredCaller.json())
})
