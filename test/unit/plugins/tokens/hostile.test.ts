import t from 'tap'
import type { Test } from 'tap'
import { altered, decode, forge } from '../../../support/forge.ts'
import { build } from '../../../support/helper.ts'

const { app, as } = await build(t)
const director = await as('director@demo.example')
const { claims } = decode(director.access)
const now = Math.floor(Date.now() / 1000)

const get = async (token: string, headers: Record<string, string> = {}) => await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${token}`, ...headers } })

async function refused (t: Test, token: string, what: string, message = 'Token is invalid') {
  const response = await get(token)
  t.equal(response.statusCode, 401, what)
  t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', what)
  t.strictSame(response.json(), {
    detail: 'Given token not valid for any token type',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message }]
  }, what)
}

t.test('the forging helper can make a valid token, so a refusal is meaningful', async (t) => {
  t.equal((await get(forge(claims))).statusCode, 200)
  t.equal((await get(altered(director.access, { iat: now - 10, exp: now + 600, extra: 'claim' }))).statusCode, 200)
})

t.test('a token of a process whose clock is up to 10 s ahead is accepted, for every purpose', async (t) => {
  const ahead = (token: string, seconds: number) => altered(token, { iat: Math.floor(Date.now() / 1000) + seconds, exp: Math.floor(Date.now() / 1000) + seconds + 3600 })
  const refresh = async (access: string, token: string) => await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh: token }, headers: { authorization: `Bearer ${access}` } })
  for (const seconds of [1, 8]) {
    t.equal((await get(ahead(director.access, seconds))).statusCode, 200, `${seconds} s`)
    const client = await as('director@demo.example')
    t.equal((await refresh(ahead(client.access, seconds), ahead(client.refresh, seconds))).statusCode, 200, `a refresh, ${seconds} s`)
  }
  const client = await as('director@demo.example')
  await refused(t, ahead(client.access, 20), '20 s')
  const late = await refresh(client.access, ahead(client.refresh, 20))
  t.equal(late.statusCode, 401)
  t.strictSame(late.json(), { detail: 'Token is invalid', code: 'token_not_valid' })
})

t.test('a refusal is in the caller’s language', async (t) => {
  t.strictSame((await get('rubbish', { 'accept-language': 'es' })).json(), {
    detail: 'El token dado no es valido para ningun tipo de token',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'El token es inválido' }]
  })
})
