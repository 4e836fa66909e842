import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import type { Test } from 'tap'
import { altered, decode, forge } from '../../../support/forge.ts'
import { build, secret } from '../../../support/helper.ts'

const { app, as } = await build(t)
const director = await as('director@demo.example')
const coordinador = await as('coordinador@demo.example')
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

function signedAs (alg: string, privateKey: Parameters<typeof sign>[2]): string {
  const signed = [{ alg, typ: 'JWT' }, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
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

t.test('only HS256 with the server’s key makes a valid token', async (t) => {
  const [header, payload] = director.access.split('.') as [string, string]
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
  await refused(t, `${none}.${payload}.`, 'alg none, no signature')
  await refused(t, forge(claims, { header: { alg: 'none' } }), 'alg none, with a signature')
  await refused(t, forge(claims, { header: { alg: 'NONE' }, key: '' }), 'alg NONE')
  await refused(t, `${header}.${payload}.`, 'no signature')
  await refused(t, forge(claims, { key: `${secret}.` }), 'another key')
  await refused(t, forge(claims, { key: '' }), 'an empty key')
  await refused(t, forge(claims, { header: { alg: 'HS512', typ: 'JWT' }, hash: 'sha512' }), 'HS512 by the right key')
  await refused(t, forge(claims, { header: { alg: 'HS384', typ: 'JWT' }, hash: 'sha384' }), 'HS384 by the right key')
  await refused(t, forge(claims, { header: { typ: 'JWT' } }), 'no alg')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await refused(t, signedAs('RS256', rsa.privateKey), 'RS256')
  await refused(t, signedAs('ES256', ec.privateKey), 'ES256')
  await refused(t, signedAs('HS256', rsa.privateKey), 'an RSA signature called HS256')
  await refused(t, forge(claims, { header: { alg: 'RS256', typ: 'JWT' } }), 'an HMAC called RS256')
  const jwk = rsa.publicKey.export({ format: 'jwk' })
  await refused(t, forge(claims, { key: JSON.stringify(jwk), header: { alg: 'HS256', typ: 'JWT', jwk } }), 'a key embedded in the token')
})

t.test('an incomplete payload, an expired one, or one of another type is refused', async (t) => {
  for (const claim of Object.keys(claims)) await refused(t, altered(director.access, { [claim]: undefined }), `without ${claim}`)
  for (const payload of [null, [], 'text', 7, {}]) await refused(t, forge(payload), `payload ${JSON.stringify(payload)}`)
  await refused(t, altered(director.access, { exp: now - 1 }), 'past its end', 'Token is expired')
  await refused(t, altered(director.access, { exp: String(now + 100) }), 'exp as text')
  await refused(t, altered(director.access, { iat: now + 60 }), 'issued in the future')
  await refused(t, altered(director.access, { jti: 'x' }), 'a malformed jti')
  await refused(t, altered(director.access, { token_type: 'sliding' }), 'an unknown type')
  await refused(t, director.refresh, 'a refresh token', 'Token has wrong type')
  await refused(t, altered(director.refresh, { iat: now + 60 }), 'a refresh token issued in the future')
})

t.test('a token must name an existing session of its user', async (t) => {
  await refused(t, altered(director.access, { sid: randomUUID() }), 'no such session', 'Token is blacklisted')
  await refused(t, altered(director.access, { sid: decode(coordinador.access).claims['sid'] }), 'a session of another user', 'Token is blacklisted')
  await refused(t, altered(director.access, { user_id: decode(coordinador.access).claims['user_id'] }), 'another user', 'Token is blacklisted')
  await refused(t, altered(director.access, { sid: "' or true --" }), 'SQL for a session')
})

t.test('no truncated token and no token with a changed character is accepted', async (t) => {
  const token = director.access
  // The last character has bits that base64url does not use, so another one may encode the same signature.
  const place = fc.integer({ min: 0, max: token.length - 2 })
  await fc.assert(fc.asyncProperty(place, fc.constantFrom(...'AZaz09-_.='), async (index, character) => {
    fc.pre(token[index] !== character)
    const changed = await get(token.slice(0, index) + character + token.slice(index + 1))
    const cut = await get(token.slice(0, index))
    t.strictSame([changed.statusCode, cut.statusCode], [401, 401], `${character} at ${index}`)
  }), { numRuns: 40, examples: [[0, '.'], [token.indexOf('.'), 'A'], [token.lastIndexOf('.') + 1, '=']] })
  t.equal((await get(token)).statusCode, 200)
})

t.test('a refusal is in the caller’s language', async (t) => {
  t.strictSame((await get('rubbish', { 'accept-language': 'es' })).json(), {
    detail: 'El token dado no es valido para ningun tipo de token',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'El token es inválido' }]
  })
})
