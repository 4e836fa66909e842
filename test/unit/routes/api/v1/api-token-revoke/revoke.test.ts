import t from 'tap'
import { decode, expired } from '../../../../../support/forge.ts'
import { build, type Client } from '../../../../../support/helper.ts'
import { refuses } from '../../../../../support/invalid.ts'

const { app, as, psql } = await build(t)
const isIn = async ({ get }: Client) => (await get('me/')).statusCode === 200
const revoke = async (client: Client, refresh: unknown, headers: Record<string, string> = {}) => await client.post('api-token-revoke/', { refresh }, headers)

t.test('a revoked session ends immediately, with all its tokens; the user’s other sessions continue', async (t) => {
  const [client, other] = [await as('director@demo.example'), await as('director@demo.example')]
  const response = await revoke(client, client.refresh)
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.equal(response.headers['content-type'], undefined)

  const after = await client.get('me/')
  t.equal(after.statusCode, 401)
  t.equal(after.headers['www-authenticate'], 'Bearer realm="api"')
  t.strictSame(after.json(), {
    detail: 'Given token not valid for any token type',
    code: 'token_not_valid',
    messages: [{ token_class: 'AccessToken', token_type: 'access', message: 'Token is blacklisted' }]
  })
  t.equal((await client.post('api-token-refresh/', { refresh: client.refresh })).statusCode, 401)
  t.ok(await isIn(other))
})

t.test('a caller may end another session of the same user, once', async (t) => {
  const [here, there] = [await as('director@demo.example'), await as('director@demo.example')]
  t.equal((await revoke(here, there.refresh)).statusCode, 204)
  t.notOk(await isIn(there))
  t.ok(await isIn(here))
  const again = await revoke(here, there.refresh)
  t.equal(again.statusCode, 401)
  t.strictSame(again.json(), { detail: 'Token is blacklisted', code: 'token_not_valid' })
})

t.test('a spent refresh token still identifies its session', async (t) => {
  const client = await as('director@demo.example')
  await client.post('api-token-refresh/', { refresh: client.refresh })
  t.equal((await revoke(client, client.refresh)).statusCode, 204)
  t.notOk(await isIn(client))
})

t.test('any other token ends nothing', async (t) => {
  const [director, coordinador] = [await as('director@demo.example'), await as('coordinador@demo.example')]
  const wrong: Record<string, [string, string]> = {
    'another user’s': [coordinador.refresh, 'Token is invalid'],
    'an access token': [director.access, 'Token has wrong type'],
    rubbish: ['rubbish', 'Token is invalid'],
    expired: [expired(director.refresh), 'Token is expired']
  }
  for (const [what, [token, detail]] of Object.entries(wrong)) {
    const response = await revoke(director, token)
    t.equal(response.statusCode, 401, what)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', what)
    t.strictSame(response.json(), { detail, code: 'token_not_valid' }, what)
  }
  const spanish = await revoke(director, 'rubbish', { 'accept-language': 'es' })
  t.strictSame(spanish.json(), { detail: 'El token es inválido', code: 'token_not_valid' })

  refuses(t, await director.post('api-token-revoke/', {}), { refresh: ['This field is required.'] })

  const nobody = await app.inject({ method: 'POST', url: '/api/v1/api-token-revoke/', payload: { refresh: director.refresh } })
  t.equal(nobody.statusCode, 401)
  t.equal(nobody.json().code, 'not_authenticated')
  t.ok(await isIn(director))
  t.ok(await isIn(coordinador))
  const sids = [director, coordinador].map(({ access }) => decode(access).claims['sid'])
  t.strictSame(await psql('select from sessions where id = any ($1) and revoked_at is not null', [sids]), [])
})
