import t from 'tap'
import { decode, isSignedWith } from '../../../../../support/forge.ts'
import { build, secret } from '../../../../../support/helper.ts'
import { refuses } from '../../../../../support/invalid.ts'

const { app, psql } = await build(t)
const url = '/api/v1/api-token-auth/'
const password = 'demo-obra-1'
const post = async (payload: unknown, headers: Record<string, string> = {}) =>
  await app.inject({ method: 'POST', url, payload: payload as object, headers })

t.test('a log-in returns only a pair of tokens', async (t) => {
  const before = Math.floor(Date.now() / 1000)
  const response = await post({ email: 'director@demo.example', password })
  const after = Math.floor(Date.now() / 1000)
  t.equal(response.statusCode, 200)
  t.match(response.headers['content-type'], /^application\/json/)
  t.match(response.headers, { 'cache-control': /private|no-store/, 'x-request-id': /./ })
  t.strictSame(Object.keys(response.json()).sort(), ['access', 'refresh'])

  const [{ id }] = await psql("select id from users where email = 'director@demo.example'") as [{ id: number }]
  const lifetimes = { access: 3600, refresh: 7 * 24 * 3600 }
  const sids = (['access', 'refresh'] as const).map(type => {
    const token = response.json()[type] as string
    t.ok(isSignedWith(token, secret), `${type}: HMAC-SHA256 over the key's UTF-8 bytes`)
    const { header, claims } = decode(token)
    t.strictSame(header, { alg: 'HS256', typ: 'JWT' })
    t.strictSame(Object.keys(claims).sort(), ['exp', 'iat', 'jti', 'sid', 'token_type', 'user_id'])
    t.equal(claims['token_type'], type)
    t.equal(claims['user_id'], id)
    t.match(claims['jti'], /^[0-9a-f]{32}$/)
    t.equal((claims['exp'] as number) - (claims['iat'] as number), lifetimes[type])
    t.ok((claims['iat'] as number) >= before && (claims['iat'] as number) <= after, 'issued now')
    return claims['sid']
  })
  t.equal(sids[0], sids[1], 'both belong to one session')
  t.not(decode(response.json().access).claims['jti'], decode(response.json().refresh).claims['jti'])
})

t.test('a session is stored, lasts 90 days after the log-in, and keeps only a hash of its refresh token', async (t) => {
  const { refresh } = (await post({ email: 'coordinador@demo.example', password })).json()
  const { sid, jti } = decode(refresh).claims as { sid: string, jti: string }
  const [session] = await psql("select expires_at - created_at > interval '89 days 23 hours' and expires_at - created_at < interval '90 days 1 hour' as ninety, revoked_at from sessions where id = $1", [sid])
  t.same(session, { ninety: true, revoked_at: null })

  const rows = await psql("select encode(hash, 'hex') as hash, spent_at from refresh_tokens where session_id = $1", [sid])
  t.equal(rows.length, 1)
  t.match(rows[0], { hash: /^[0-9a-f]{64}$/, spent_at: null })
  t.notOk(rows[0]?.['hash'].includes(jti))
})

t.test('the email is accepted in any case and with spaces around it', async (t) => {
  for (const email of ['Director@Demo.Example', 'DIRECTOR@DEMO.EXAMPLE', '  director@demo.example\n']) {
    t.equal((await post({ email, password })).statusCode, 200, JSON.stringify(email))
  }
})

t.test('every refusal has the same status, headers and body', async (t) => {
  await psql("update users set activo = false where email = 'auxiliar@demo.example'")
  const refused = {
    'unknown email': { email: 'nobody@demo.example', password },
    'wrong password': { email: 'director@demo.example', password: 'demo-obra-2' },
    'password in another case': { email: 'director@demo.example', password: 'DEMO-OBRA-1' },
    'password with a space after it': { email: 'director@demo.example', password: 'demo-obra-1 x' },
    'inactive user': { email: 'auxiliar@demo.example', password },
    'SQL for an email': { email: "' or true --", password }
  }
  for (const [what, credentials] of Object.entries(refused)) {
    const response = await post(credentials)
    t.equal(response.statusCode, 401, what)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', what)
    t.strictSame(response.json(), { detail: 'No active account found with the given credentials', code: 'no_active_account' }, what)
    const inSpanish = await post(credentials, { 'accept-language': 'es-MX,es;q=0.9' })
    t.strictSame(inSpanish.json(), { detail: 'La combinación de credenciales no tiene una cuenta activa', code: 'no_active_account' }, what)
  }
  t.strictSame(await psql("select s.id from sessions s join users u on u.id = s.user_id where u.email = 'auxiliar@demo.example'"), [], 'a failed log-in creates no session')
})

t.test('missing and malformed fields are all reported by name, in both languages', async (t) => {
  const required = { en: ['This field is required.'], es: ['Este campo es requerido.'] }
  for (const language of ['en', 'es'] as const) {
    for (const payload of [{}, undefined]) {
      refuses(t, await post(payload, { 'accept-language': language }), { email: required[language], password: required[language] }, undefined, language)
    }
  }
  const wrong: Array<[unknown, Record<string, string[]>]> = [
    [{ email: 'director@demo.example' }, { password: required.en }],
    [{ password }, { email: required.en }],
    [{ email: '', password: '' }, { email: ['This field may not be blank.'], password: ['This field may not be blank.'] }],
    [{ email: '   ', password }, { email: ['This field may not be blank.'] }],
    [{ email: null, password: null }, { email: ['This field may not be null.'], password: ['This field may not be null.'] }],
    [{ email: true, password: ['x'] }, { email: ['Not a valid string.'], password: ['Not a valid string.'] }],
    [{ email: 'a\0b', password }, { email: ['Null characters are not allowed.'] }],
    [{ email: 'director@demo.example', password, username: 'x' }, { username: ['Unknown field.'] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }]
  ]
  for (const [payload, errors] of wrong) {
    refuses(t, await post(payload), errors, JSON.stringify(payload))
  }
})

t.test('a log-in needs no token and ignores an invalid one', async (t) => {
  const response = await post({ email: 'director@demo.example', password }, { authorization: 'Bearer rubbish' })
  t.equal(response.statusCode, 200)
  const wrongMethod = await app.inject({ method: 'GET', url })
  t.equal(wrongMethod.statusCode, 405)
  t.match(wrongMethod.headers['allow'], /POST/)
})

t.test('an email is the same account in any spelling that means the same, and never one with a long run of combining marks', async (t) => {
  for (const email of [' Director@Demo.EXAMPLE ', 'dir\u200bector@demo.example']) t.equal((await post({ email, password })).statusCode, 200, email)
  t.match((await post({ email: `a${'\u0301'.repeat(100)}@demo.example`, password })).json(), { codes: { email: ['combining_marks'] } })
})
