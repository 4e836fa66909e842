import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import t from 'tap'
import { altered, decode, expired, forge, type Payload } from '../../support/forge.ts'
import { build, secret, type Client } from '../../support/helper.ts'

const server = await build(t, { RATE_LIMIT: 'off' })
const { app, as, psql } = server
const director = await as('director@demo.example')
const coordinador = await as('coordinador@demo.example')
const { claims } = decode(director.access)
const now = Math.floor(Date.now() / 1000)

const base64 = (value: string) => Buffer.from(value).toString('base64url')
const headed = (header: Payload, options = {}) => forge(claims, { header: { alg: 'HS256', typ: 'JWT', ...header }, ...options })
const [header, payload, signature] = director.access.split('.') as [string, string, string]
/** A token with this header and payload text, signed with the server's key. */
const signedText = (head: string, body: string) => `${base64(head)}.${base64(body)}.${createHmac('sha256', secret).update(`${base64(head)}.${base64(body)}`).digest('base64url')}`
const text = JSON.stringify(claims)
/** A token with this algorithm, signed with a key of another kind. */
const signedWith = (alg: string, type: 'rsa' | 'ec') => {
  const { privateKey } = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signed = `${base64(JSON.stringify({ alg, typ: 'JWT' }))}.${payload}`
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
}
const other = decode(coordinador.access).claims

/** Tokens that must be refused, by their fault. */
const forged: Record<string, string> = {
  'alg none, without a signature': `${base64('{"alg":"none","typ":"JWT"}')}.${payload}.`,
  'alg nOnE, with the signature of another': `${base64('{"alg":"nOnE","typ":"JWT"}')}.${payload}.${signature}`,
  'alg empty': headed({ alg: '' }),
  'alg an array': headed({ alg: ['HS256'] }),
  'alg an HMAC of another length': headed({ alg: 'HS512' }, { hash: 'sha512' }),
  'alg HS384 by the right key': headed({ alg: 'HS384' }, { hash: 'sha384' }),
  'no alg': headed({ alg: undefined }),
  'an RSA signature': signedWith('RS256', 'rsa'),
  'an RSA signature called HS256': signedWith('HS256', 'rsa'),
  'an elliptic signature': signedWith('ES256', 'ec'),
  'alg RS256 over an HMAC': headed({ alg: 'RS256' }),
  'alg ES256 with a signature of all zeros': `${base64('{"alg":"ES256","typ":"JWT"}')}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
  'alg dir, as if encrypted': `${base64('{"alg":"dir","enc":"A256GCM"}')}..${base64('0'.repeat(12))}.${payload}.${base64('0'.repeat(16))}`,
  'another key': forge(claims, { key: 'another secret of 32 bytes or more, indeed' }),
  'an empty key': forge(claims, { key: '' }),
  'the key with a newline': forge(claims, { key: `${secret}\n` }),
  'kid a path, signed with the content of that file': headed({ kid: '../../../../dev/null' }, { key: '' }),
  'kid SQL, signed with the value it selects': headed({ kid: "x' union select 'attacker" }, { key: 'attacker' }),
  'kid a URL': headed({ kid: 'http://127.0.0.1:1/key' }, { key: 'attacker' }),
  'jku, signed with a key of that URL': headed({ jku: 'http://127.0.0.1:1/jwks.json', kid: '1' }, { key: 'attacker' }),
  'x5u, signed with a key of that URL': headed({ x5u: 'http://127.0.0.1:1/cert.pem' }, { key: 'attacker' }),
  'jwk, signed with the embedded key': headed({ jwk: { kty: 'oct', k: base64('attacker') } }, { key: 'attacker' }),
  'x5c, with an embedded certificate': headed({ x5c: ['MIIB'] }, { key: 'attacker' }),
  'crit, with an unknown extension': headed({ crit: ['exp'], b64: false }, { key: 'attacker' }),
  'no signature': `${header}.${payload}.`,
  'two parts': `${header}.${payload}`,
  'four parts': `${director.access}.${signature}`,
  'a signature of another token': `${header}.${payload}.${coordinador.access.split('.')[2]}`,
  'a changed payload under the same signature': `${header}.${base64(text.replace(/"user_id":\d+/, '"user_id":1'))}.${signature}`,
  padding: `${header}.${payload}.${signature}=`,
  'the other alphabet of base64': `${header}.${payload}+/.${signature}`,
  'a payload that is not JSON': signedText('{"alg":"HS256","typ":"JWT"}', text.slice(1)),
  'a payload that is an array': signedText('{"alg":"HS256","typ":"JWT"}', `[${text}]`),
  ...Object.fromEntries([null, 'text', 7, {}].map(claims => [`a payload ${JSON.stringify(claims)}`, forge(claims)])),
  ...Object.fromEntries(Object.keys(claims).map(claim => [`without ${claim}`, altered(director.access, { [claim]: undefined })])),
  'an expiry as text': altered(director.access, { exp: String(now + 100) }),
  'a malformed jti': altered(director.access, { jti: 'x' }),
  'no such session': altered(director.access, { sid: randomUUID() }),
  'a session of another user': altered(director.access, { sid: other['sid'] }),
  'another user': altered(director.access, { user_id: other['user_id'] }),
  'SQL for a session': altered(director.access, { sid: "' or true --" }),
  // The last character has bits that base64url does not use, so another one may encode the same signature.
  ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => 1 + Math.floor((director.access.length - 2) * n / 40)).flatMap(at => [
    [`cut at ${at}`, director.access.slice(0, at)],
    [`changed at ${at}`, `${director.access.slice(0, at)}${director.access[at] === 'A' ? 'B' : 'A'}${director.access.slice(at + 1)}`]
  ])),
  'a payload with a prototype': signedText('{"alg":"HS256","typ":"JWT"}', `{"__proto__":${text}}`),
  'issued in the future': altered(director.access, { iat: now + 120, exp: now + 3600 }),
  'expiry in ten years': altered(director.access, { exp: now + 315_360_000 }),
  'a lifetime of an hour and a second': altered(director.access, { exp: (claims['iat'] as number) + 3601 }),
  'no expiry': altered(director.access, { exp: undefined }),
  'an expiry that is too large a number': signedText('{"alg":"HS256","typ":"JWT"}', text.replace(/"exp":\d+/, '"exp":1e400')),
  'an expiry in milliseconds': altered(director.access, { exp: (now + 60) * 1000 }),
  'not before tomorrow': altered(director.access, { nbf: now + 86_400 }),
  expired: expired(director.access),
  "two user_ids, the last one another user's": signedText('{"alg":"HS256","typ":"JWT"}', text.replace(/}$/, `,"user_id":${String(decode(coordinador.access).claims['user_id'])}}`)),
  "two sids, the last one another user's": signedText('{"alg":"HS256","typ":"JWT"}', text.replace(/}$/, `,"sid":"${String(decode(coordinador.access).claims['sid'])}"}`)),
  'two token_types, the last one unknown': signedText('{"alg":"HS256","typ":"JWT"}', text.replace(/}$/, ',"token_type":"admin"}')),
  'two algs, the last one none': signedText('{"alg":"HS256","typ":"JWT","alg":"none"}', text),
  'a refresh token as access token': director.refresh,
  '1 MB of payload': `${header}.${'A'.repeat(1_000_000)}.${signature}`,
  '1 MB of dots': '.'.repeat(1_000_000),
  '1 MB of claims, signed': altered(director.access, { pad: 'x'.repeat(800_000), exp: now + 999_999 })
}

/** Maximum characters of a header that is parsed. */
const longest = 4096

t.test('a forged token does not authenticate, verify or refresh', async (t) => {
  for (const [what, token] of Object.entries(forged)) {
    const authorization = `Bearer ${token}`
    const entry = await app.inject({ url: '/api/v1/me/', headers: { authorization } })
    const [status, body] = authorization.length > longest ? [400, { codes: { Authorization: ['max_length'] } }] : [401, { code: 'token_not_valid' }]
    t.equal(entry.statusCode, status, what)
    t.match(entry.json(), body, what)
    if (what !== 'expired') {
      const refresh = await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', headers: { authorization }, payload: { refresh: director.refresh } })
      t.equal(refresh.statusCode, status, `${what}: with a refresh token`)
    }
    if (token === director.refresh) continue
    const verified = await director.post('api-token-verify/', { token })
    t.ok(verified.statusCode === 401 ? verified.json().valid === false : verified.statusCode === 413, `${what}: verify`)
    const inPlace = await director.post('api-token-refresh/', { refresh: token })
    t.ok([401, 413].includes(inPlace.statusCode), `${what}: as a refresh token`)
  }
  t.equal((await director.get('me/')).statusCode, 200, 'the session of the owner still works')
  t.equal((await director.post('api-token-verify/', { token: director.refresh })).statusCode, 200)
})

const set = async (assignment: string, email: string) => await psql(`update users set ${assignment} where email = $1`, [email])
const refresh = async ({ access, refresh }: Pick<Client, 'access' | 'refresh'>) => await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', headers: { authorization: `Bearer ${access}` }, payload: { refresh } })
const authenticates = async ({ access }: Pick<Client, 'access'>) => (await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${access}` } })).statusCode === 200
const wait = async ({ access }: Pick<Client, 'access'>, seconds: number) => await psql('update refresh_tokens set spent_at = spent_at - make_interval(secs => $2) where session_id = $1 and spent_at is not null', [decode(access).claims['sid'], seconds])
const tokens = async (client: Pick<Client, 'access' | 'refresh'>) => (await refresh(client)).json<{ access: string, refresh: string }>()

const jtiOf = (pair: Pick<Client, 'refresh'>) => decode(pair.refresh).claims['jti']

/** What happened to a genuine token, and how it is used afterwards. `use` returns whether the token still works; `after` is the expected result. */
const genuine: Record<string, { use: (client: Client) => Promise<boolean>, after: boolean }> = {
  'a live session': { use: async client => await authenticates(client) && (await refresh(client)).statusCode === 200, after: true },
  'a revoked session': { use: async client => { await client.post('api-token-revoke/', { refresh: client.refresh }); return await authenticates(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a session past its 90 days': { use: async client => { await psql("update sessions set expires_at = now() - interval '1 second' where id = $1", [decode(client.access).claims['sid']]); return await authenticates(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a deactivated user': { use: async client => { await set('activo = false', 'auxiliar@demo.example'); return await authenticates(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a user deactivated and activated again': { use: async client => { await set('activo = false', 'auxiliar@demo.example'); await set('activo = true', 'auxiliar@demo.example'); return await authenticates(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a lowered level': { use: async client => { await set('nivel_acceso = null', 'auxiliar@demo.example'); return (await client.get('users/')).statusCode === 200 }, after: false },
  'a spent refresh token within the grace period': { use: async client => { const next = await tokens(client); return (await refresh(client)).body === JSON.stringify(next) }, after: true },
  'a spent refresh token after the grace period, while its successor is unused': { use: async client => { const next = await tokens(client); await wait(client, 86_400); const again = await tokens(client); return jtiOf(again) === jtiOf(next) && await authenticates(again) }, after: true },
  'a spent refresh token after the grace period, once its successor is used': { use: async client => { await authenticates(await tokens(client)); await wait(client, 31); return (await refresh(client)).statusCode === 200 }, after: false },
  'stolen, refreshed by the owner first: the thief': { use: async client => { await authenticates(await tokens(client)); await wait(client, 31); return (await refresh(client)).statusCode === 200 }, after: false },
  'stolen, refreshed by the owner first: the owner, who must log in again': { use: async client => { const next = await tokens(client); await authenticates(next); await wait(client, 31); await refresh(client); return await authenticates(next) || (await refresh(next)).statusCode === 200 }, after: false },
  'stolen, refreshed by the thief first: the thief': { use: async client => { const thief = await tokens(client); await authenticates(thief); await wait(client, 31); await refresh(client); return await authenticates(thief) || (await refresh(thief)).statusCode === 200 }, after: false },
  'stolen from an owner who has lost the answer: both have the same tokens, and the next rotation that one of them misses ends the session': {
    use: async (client) => {
      const owner = await tokens(client)
      await wait(client, 86_400)
      const thief = await tokens(client)
      if (jtiOf(thief) !== jtiOf(owner) || !await authenticates(owner)) return true
      const next = await tokens(thief)
      await authenticates(next)
      await wait(client, 31)
      await refresh(owner)
      return await authenticates(next) || await authenticates(owner)
    },
    after: false
  },
  'stolen, refreshed by both at once: one line of tokens, ended by the first late refresh': {
    use: async (client) => {
      const [owner, thief] = await Promise.all([tokens(client), tokens(client)])
      if (owner.refresh !== thief.refresh) return true
      const next = await tokens(owner)
      await authenticates(next)
      await wait(client, 31)
      await refresh(thief)
      return await authenticates(next)
    },
    after: false
  }
}

for (const [what, { use, after }] of Object.entries(genuine)) {
  t.test(`${what}: ${after ? 'works' : 'is refused'}`, async (t) => {
    await set("activo = true, nivel_acceso = case when $1 = 'auxiliar@demo.example' then 4 end", 'auxiliar@demo.example')
    t.equal(await use(await as('auxiliar@demo.example')), after)
  })
}
