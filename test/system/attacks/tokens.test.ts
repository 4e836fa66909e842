import { createHmac } from 'node:crypto'
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
/** A token of this very text, signed with the server's key: what only somebody who has it can make. */
const written = (head: string, body: string) => `${base64(head)}.${base64(body)}.${createHmac('sha256', secret).update(`${base64(head)}.${base64(body)}`).digest('base64url')}`
const text = JSON.stringify(claims)

/** Tokens that give nobody entry, by what was done to them. */
const forged: Record<string, string> = {
  'alg none, without a signature': `${base64('{"alg":"none","typ":"JWT"}')}.${payload}.`,
  'alg nOnE, with the signature of another': `${base64('{"alg":"nOnE","typ":"JWT"}')}.${payload}.${signature}`,
  'alg empty': headed({ alg: '' }),
  'alg an array': headed({ alg: ['HS256'] }),
  'alg an HMAC of another length': headed({ alg: 'HS512' }, { hash: 'sha512' }),
  'alg RS256 over an HMAC': headed({ alg: 'RS256' }),
  'alg ES256 with the signature of all zeros': `${base64('{"alg":"ES256","typ":"JWT"}')}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
  'alg dir, as if encrypted': `${base64('{"alg":"dir","enc":"A256GCM"}')}..${base64('0'.repeat(12))}.${payload}.${base64('0'.repeat(16))}`,
  'another key': forge(claims, { key: 'another secret of 32 bytes or more, indeed' }),
  'an empty key': forge(claims, { key: '' }),
  'the key with a newline': forge(claims, { key: `${secret}\n` }),
  'kid a path, the key being the file': headed({ kid: '../../../../dev/null' }, { key: '' }),
  'kid SQL, the key being what it selects': headed({ kid: "x' union select 'attacker" }, { key: 'attacker' }),
  'kid a URL': headed({ kid: 'http://127.0.0.1:1/key' }, { key: 'attacker' }),
  'jku, with the key that would be there': headed({ jku: 'http://127.0.0.1:1/jwks.json', kid: '1' }, { key: 'attacker' }),
  'x5u, with the key that would be there': headed({ x5u: 'http://127.0.0.1:1/cert.pem' }, { key: 'attacker' }),
  'jwk, a key that it brings along': headed({ jwk: { kty: 'oct', k: base64('attacker') } }, { key: 'attacker' }),
  'x5c, a certificate that it brings along': headed({ x5c: ['MIIB'] }, { key: 'attacker' }),
  'crit, an extension that must be understood': headed({ crit: ['exp'], b64: false }, { key: 'attacker' }),
  'no signature': `${header}.${payload}.`,
  'two parts': `${header}.${payload}`,
  'four parts': `${director.access}.${signature}`,
  'a signature of another token': `${header}.${payload}.${coordinador.access.split('.')[2] as string}`,
  'another payload under the signature': `${header}.${base64(text.replace(/"user_id":\d+/, '"user_id":1'))}.${signature}`,
  padding: `${header}.${payload}.${signature}=`,
  'the other alphabet of base64': `${header}.${payload}+/.${signature}`,
  'a payload that is no JSON': written('{"alg":"HS256","typ":"JWT"}', text.slice(1)),
  'a payload that is an array': written('{"alg":"HS256","typ":"JWT"}', `[${text}]`),
  'a payload with a prototype': written('{"alg":"HS256","typ":"JWT"}', `{"__proto__":${text}}`),
  'issued in the future': altered(director.access, { iat: now + 120, exp: now + 3600 }),
  'an end ten years from now': altered(director.access, { exp: now + 315_360_000 }),
  'an end a second later than an hour from its beginning': altered(director.access, { exp: (claims['iat'] as number) + 3601 }),
  'no end': altered(director.access, { exp: undefined }),
  'an end that is too large a number': written('{"alg":"HS256","typ":"JWT"}', text.replace(/"exp":\d+/, '"exp":1e400')),
  'an end in milliseconds': altered(director.access, { exp: (now + 60) * 1000 }),
  'not before tomorrow': altered(director.access, { nbf: now + 86_400 }),
  'past its end': expired(director.access),
  'two users, the last of which is another': written('{"alg":"HS256","typ":"JWT"}', text.replace(/}$/, `,"user_id":${String(decode(coordinador.access).claims['user_id'])}}`)),
  'two sessions, the last of which is another’s': written('{"alg":"HS256","typ":"JWT"}', text.replace(/}$/, `,"sid":"${String(decode(coordinador.access).claims['sid'])}"}`)),
  'two types, the last of which is none': written('{"alg":"HS256","typ":"JWT"}', text.replace(/}$/, ',"token_type":"admin"}')),
  'two algs, the last of which is none': written('{"alg":"HS256","typ":"JWT","alg":"none"}', text),
  'a refresh token in its place': director.refresh,
  '1 MB of payload': `${header}.${'A'.repeat(1_000_000)}.${signature}`,
  '1 MB of dots': '.'.repeat(1_000_000),
  '1 MB of claims, signed': altered(director.access, { pad: 'x'.repeat(800_000), exp: now + 999_999 })
}

t.test('no forged token gives entry, is taken for valid or refreshes', async (t) => {
  for (const [what, token] of Object.entries(forged)) {
    const authorization = `Bearer ${token}`
    const entry = await app.inject({ url: '/api/v1/me/', headers: { authorization } })
    t.equal(entry.statusCode, 401, what)
    t.match(entry.json(), { code: 'token_not_valid' }, what)
    if (what !== 'past its end') {
      const refresh = await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', headers: { authorization }, payload: { refresh: director.refresh } })
      t.equal(refresh.statusCode, 401, `${what}: beside a refresh token`)
    }
    if (token === director.refresh) continue
    const verified = await director.post('api-token-verify/', { token })
    t.ok(verified.statusCode === 401 ? verified.json().valid === false : verified.statusCode === 413, `${what}: to verify`)
    const inPlace = await director.post('api-token-refresh/', { refresh: token })
    t.ok([401, 413].includes(inPlace.statusCode), `${what}: as a refresh token`)
  }
  t.equal((await director.get('me/')).statusCode, 200, 'the owner has noticed nothing of it')
  t.equal((await director.post('api-token-verify/', { token: director.refresh })).statusCode, 200)
})

const set = async (assignment: string, email: string) => await psql(`update users set ${assignment} where email = $1`, [email])
const refresh = async ({ access, refresh }: Pick<Client, 'access' | 'refresh'>) => await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', headers: { authorization: `Bearer ${access}` }, payload: { refresh } })
const enters = async ({ access }: Pick<Client, 'access'>) => (await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${access}` } })).statusCode === 200
const wait = async ({ access }: Pick<Client, 'access'>, seconds: number) => await psql('update refresh_tokens set spent_at = spent_at - make_interval(secs => $2) where session_id = $1 and spent_at is not null', [decode(access).claims['sid'], seconds])
const tokens = async (client: Pick<Client, 'access' | 'refresh'>) => (await refresh(client)).json<{ access: string, refresh: string }>()

/** What has become of a genuine token, and how it is tried afterwards. @returns whether it is of use */
const genuine: Record<string, { use: (client: Client) => Promise<boolean>, after: boolean }> = {
  'a live session': { use: async client => await enters(client) && (await refresh(client)).statusCode === 200, after: true },
  'a revoked session': { use: async client => { await client.post('api-token-revoke/', { refresh: client.refresh }); return await enters(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a session past its 90 days': { use: async client => { await psql("update sessions set expires_at = now() - interval '1 second' where id = $1", [decode(client.access).claims['sid']]); return await enters(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a user who was deactivated': { use: async client => { await set('activo = false', 'auxiliar@demo.example'); return await enters(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a user who was deactivated, and is active again': { use: async client => { await set('activo = false', 'auxiliar@demo.example'); await set('activo = true', 'auxiliar@demo.example'); return await enters(client) || (await refresh(client)).statusCode === 200 }, after: false },
  'a level that was lowered': { use: async client => { await set('nivel_acceso = null', 'auxiliar@demo.example'); return (await client.get('users/')).statusCode === 200 }, after: false },
  'a spent refresh token within the grace': { use: async client => { const next = await tokens(client); return (await refresh(client)).body === JSON.stringify(next) }, after: true },
  'a spent refresh token after the grace': { use: async client => { await tokens(client); await wait(client, 31); return (await refresh(client)).statusCode === 200 }, after: false },
  'stolen, the thief refreshing after the owner: the thief': { use: async client => { await tokens(client); await wait(client, 31); return (await refresh(client)).statusCode === 200 }, after: false },
  'stolen, the thief refreshing after the owner: the owner, who must log in': { use: async client => { const next = await tokens(client); await wait(client, 31); await refresh(client); return await enters(next) || (await refresh(next)).statusCode === 200 }, after: false },
  'stolen, the thief refreshing before the owner: the thief': { use: async client => { const thief = await tokens(client); await wait(client, 31); await refresh(client); return await enters(thief) || (await refresh(thief)).statusCode === 200 }, after: false },
  'stolen, both refreshing at one moment: one line of tokens, which the first to be late ends': {
    use: async (client) => {
      const [owner, thief] = await Promise.all([tokens(client), tokens(client)])
      if (owner.refresh !== thief.refresh) return true
      const next = await tokens(owner)
      await wait(client, 31)
      await refresh(thief)
      return await enters(next)
    },
    after: false
  }
}

for (const [what, { use, after }] of Object.entries(genuine)) {
  t.test(`${what}: ${after ? 'of use' : 'of none'}`, async (t) => {
    await set("activo = true, nivel_acceso = case when $1 = 'auxiliar@demo.example' then 4 end", 'auxiliar@demo.example')
    t.equal(await use(await as('auxiliar@demo.example')), after)
  })
}
