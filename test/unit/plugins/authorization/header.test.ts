import t from 'tap'
import { en } from '../../../../src/http/messages/en.ts'
import { build } from '../../../support/helper.ts'

const { app, as } = await build(t)
const { access } = await as('director@demo.example')
const get = async (authorization?: string, headers: Record<string, string> = {}, url = '/api/v1/me/') =>
  await app.inject({ url, headers: { ...authorization === undefined ? {} : { authorization }, ...headers } })

t.test('`bearer` is accepted in any case, with any space after it', async (t) => {
  for (const header of [`Bearer ${access}`, `bearer ${access}`, `BEARER ${access}`, `bEaReR ${access}`, `Bearer   ${access}`, `Bearer\t${access}`, ` Bearer ${access} `]) {
    t.equal((await get(header)).statusCode, 200, JSON.stringify(header.replace(access, '…')))
  }
})

t.test('no header, or one of another scheme, gives no credentials', async (t) => {
  for (const header of [undefined, '', 'Basic ZGlyZWN0b3I6cHc=', `Token ${access}`, `JWT ${access}`, access, `Bearer${access}`, `Bearer:${access}`]) {
    const response = await get(header)
    t.equal(response.statusCode, 401, String(header))
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', String(header))
    t.strictSame(response.json(), { detail: 'Authentication credentials were not provided.', code: 'not_authenticated' }, String(header))
  }
  t.equal((await get(undefined, { 'accept-language': 'es' })).json().detail, 'Las credenciales de autenticación no se proveyeron.')
})

t.test('a header without exactly one token is malformed', async (t) => {
  for (const header of ['Bearer', 'Bearer ', 'bearer  ', `Bearer ${access} ${access}`, `Bearer ${access}, Bearer ${access}`]) {
    const response = await get(header)
    t.equal(response.statusCode, 401, header)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', header)
    t.strictSame(response.json(), { detail: 'Authorization header must contain two space-delimited values', code: 'bad_authorization_header' }, header)
  }
})

t.test('a token outside the header is ignored', async (t) => {
  for (const parameter of ['access', 'access_token', 'token', 'authorization']) {
    t.equal((await get(undefined, { cookie: `${parameter}=${access}` }, `/api/v1/contracts/?${parameter}=${access}`)).json().code, 'not_authenticated', parameter)
  }
})

t.test('without a token every address under the base is 401, known or unknown, for any method', async (t) => {
  const addresses = ['contracts/', 'contracts/1/', 'contracts/0/', 'contracts/x/', 'contracts/1/nothing/', 'me/', 'me', 'nothing/', 'nothing', '', 'api-token-refresh/', 'api-token-verify/', 'api-token-revoke/', 'api-token-auth/nothing/', 'contracts/?page=x', '?page=2']
  for (const path of addresses) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const response = await app.inject({ method, url: `/api/v1/${path}`, ...method === 'POST' ? { payload: '{"not json', headers: { 'content-type': 'application/json' } } : {} })
      t.equal(response.statusCode, 401, `${method} ${path}`)
      t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', `${method} ${path}`)
      const detail = method === 'POST' && path === 'api-token-refresh/' ? en.refreshWithoutAccess : 'Authentication credentials were not provided.'
      if (method !== 'HEAD') t.strictSame(response.json(), { detail, code: 'not_authenticated' }, `${method} ${path}`)
    }
  }
  t.equal((await app.inject('/api/v1')).statusCode, 401, 'the base itself, without its slash')
})
