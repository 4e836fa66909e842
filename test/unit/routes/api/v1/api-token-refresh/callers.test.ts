import { mock } from 'node:test'
import t from 'tap'
import { altered, expired } from '../../../../../support/forge.ts'
import { build } from '../../../../../support/helper.ts'

const { app, as } = await build(t)

async function refresh (payload: unknown, access?: string, headers: Record<string, string> = {}) {
  return await app.inject({
    method: 'POST',
    url: '/api/v1/api-token-refresh/',
    payload: payload as object,
    headers: { ...access === undefined ? {} : { authorization: `Bearer ${access}` }, ...headers }
  })
}

const director = await as('director@demo.example')
const sameUser = await as('director@demo.example')
const coordinador = await as('coordinador@demo.example')

t.test('a refresh without an access token of the same session is refused and spends nothing', async (t) => {
  const missing = await refresh({ refresh: director.refresh })
  t.equal(missing.statusCode, 401)
  t.equal(missing.headers['www-authenticate'], 'Bearer realm="api"')
  const needed = {
    en: 'Authentication credentials were not provided. A refresh needs the header Authorization: Bearer <access>, with an access token of the same session. That token may have expired.',
    es: 'Las credenciales de autenticación no se proveyeron. La renovación requiere el encabezado Authorization: Bearer <access>, con un token de acceso de la misma sesión. Ese token puede haber expirado.'
  }
  t.strictSame(missing.json(), { detail: needed.en, code: 'not_authenticated' })
  for (const authorization of ['', 'Basic eDp5', 'Token abc']) {
    const other = await refresh({ refresh: director.refresh }, undefined, { authorization, 'accept-language': 'es' })
    t.equal(other.statusCode, 401, authorization)
    t.strictSame(other.json(), { detail: needed.es, code: 'not_authenticated' }, authorization)
  }
  t.strictSame((await app.inject({ url: '/api/v1/me/' })).json(), { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' }, 'elsewhere the message is as before')

  const others = {
    'another user’s': coordinador.access,
    'another user’s, expired': expired(coordinador.access),
    'another session’s of the same user': sameUser.access,
    'another session’s of the same user, expired': expired(sameUser.access)
  }
  for (const [what, access] of Object.entries(others)) {
    const response = await refresh({ refresh: director.refresh }, access)
    t.equal(response.statusCode, 401, what)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', what)
    t.strictSame(response.json(), { detail: 'Token is invalid', code: 'token_not_valid' }, what)
  }
  const wrong = { 'a refresh token': director.refresh, rubbish: 'rubbish', 'signed by another key': director.access.replace(/.{8}$/, 'AAAAAAAA') }
  for (const [what, access] of Object.entries(wrong)) {
    const response = await refresh({ refresh: director.refresh }, access)
    t.equal(response.statusCode, 401, what)
    t.match(response.json(), { code: 'token_not_valid', messages: [{ token_class: 'AccessToken' }] }, what)
  }
  t.equal((await director.post('api-token-verify/', { token: director.refresh })).statusCode, 200, 'the token is still unspent')
})

t.test('an expired access token refreshes its session, and nothing else', async (t) => {
  const client = await as('director@demo.example')
  const old = expired(client.access)
  const expiredAnswer = {
    detail: 'Given token not valid for any token type',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is expired' }]
  }
  const attempts = [['GET', 'me/'], ['PATCH', 'me/'], ['GET', 'contracts/'], ['POST', 'contracts/'], ['POST', 'api-token-verify/'], ['POST', 'api-token-revoke/'], ['GET', 'nowhere/'], ['GET', 'api-token-refresh/']] as const
  const tried = async () => {
    for (const [method, path] of attempts) {
      const response = await app.inject({ method, url: `/api/v1/${path}`, headers: { authorization: `Bearer ${old}` } })
      t.equal(response.statusCode, 401, `${method} ${path}`)
      t.strictSame(response.json(), expiredAnswer, `${method} ${path}`)
    }
  }
  await tried()
  const response = await refresh({ refresh: client.refresh }, old)
  t.equal(response.statusCode, 200)
  const me = await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${response.json().access}` } })
  t.equal(me.statusCode, 200)
  await tried() // the refresh has not marked the expired token as valid
})

t.test('an access token is accepted for an hour, then only for a refresh, for 7 days', async (t) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.teardown(() => mock.timers.reset())
  const client = await as('director@demo.example')
  t.equal((await client.get('me/')).statusCode, 200)
  mock.timers.tick(3_598_000)
  t.equal((await client.get('me/')).statusCode, 200)
  mock.timers.tick(2_000)
  const late = await client.get('me/')
  t.equal(late.statusCode, 401)
  t.match(late.json(), { code: 'token_not_valid', messages: [{ message: 'Token is expired' }] })

  mock.timers.tick(6 * 24 * 3_600_000)
  const next = (await refresh({ refresh: client.refresh }, client.access)).json()
  t.match(next, { access: /./, refresh: /./ })
  mock.timers.tick(7 * 24 * 3_600_000 + 1000)
  const over = await refresh({ refresh: next.refresh }, next.access)
  t.equal(over.statusCode, 401)
  t.strictSame(over.json(), { detail: 'Token is expired', code: 'token_not_valid' })
})

t.test('an expired access token of an ended session refreshes nothing', async (t) => {
  const client = await as('coordinador@demo.example')
  await client.post('api-token-revoke/', { refresh: client.refresh })
  const response = await refresh({ refresh: client.refresh }, expired(client.access))
  t.equal(response.statusCode, 401)
  t.match(response.json(), { code: 'token_not_valid', messages: [{ message: 'Token is blacklisted' }] })
})

t.test('only a valid refresh token is accepted', async (t) => {
  const now = Math.floor(Date.now() / 1000)
  const wrong: Record<string, [string, string]> = {
    rubbish: ['rubbish', 'Token is invalid'],
    'an access token': [director.access, 'Token has wrong type'],
    expired: [altered(director.refresh, { iat: now - 604_801, exp: now - 1 }), 'Token is expired'],
    'of the future': [altered(director.refresh, { iat: now + 60 }), 'Token is invalid'],
    'of another user': [altered(director.refresh, { user_id: 1_000_000 }), 'Token is invalid']
  }
  for (const [what, [token, detail]] of Object.entries(wrong)) {
    const response = await refresh({ refresh: token }, director.access)
    t.equal(response.statusCode, 401, what)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', what)
    t.strictSame(response.json(), { detail, code: 'token_not_valid' }, what)
  }
  const spanish = await refresh({ refresh: director.access }, director.access, { 'accept-language': 'es' })
  t.strictSame(spanish.json(), { detail: 'El token tiene un tipo incorrecto', code: 'token_not_valid' })
})
