import t from 'tap'
import { build } from '../../support/helper.ts'

t.test('a request without a route', async (t) => {
  const { app, as } = await build(t)
  const auxiliar = await as('auxiliar@demo.example')
  const text = { 'content-type': 'text/plain' }

  await t.test('is 404 outside the API, without a token, in JSON and in the caller\'s language', async (t) => {
    for (const url of ['/nothing', '/api', '/api/', '/api/v2/contracts/', '/api/v10/', '/API/v1/contracts/', '/api%2Fv1/contracts/', '/constructor']) {
      const response = await app.inject({ url })
      t.equal(response.statusCode, 404, url)
      t.same(response.json(), { detail: 'Not found.', code: 'not_found' })
      t.match(response.headers, { 'content-type': 'application/json; charset=utf-8' })
      t.ok(response.headers['x-request-id'])
    }
    t.not((await app.inject({ url: '/nothing', headers: { 'accept-language': 'es' } })).json().detail, 'Not found.')
  })

  await t.test('is 404 under the base for any authenticated caller', async (t) => {
    for (const url of ['', 'nothing/', 'contracts/1/nothing/', 'ñ/', '%C3%B1/']) {
      const response = await auxiliar.post(url, 'x', text)
      t.equal(response.statusCode, 404, url)
      t.same(response.json(), { detail: 'Not found.', code: 'not_found' })
    }
    const soporte = await as('soporte@demo.example')
    t.equal((await soporte.get('nothing/')).statusCode, 404, 'also without an active company')
  })

  await t.test('is 405 with Allow at an existing address, for any level', async (t) => {
    for (const [method, url, allow] of [
      ['DELETE', 'contracts/', 'GET, HEAD, OPTIONS, POST'], ['PATCH', 'contracts', 'GET, HEAD, OPTIONS, POST'], ['POST', 'contracts/1/', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
      ['POST', 'contracts/no-id', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'], ['GET', 'api-token-verify/', 'OPTIONS, POST'], ['DELETE', 'me/', 'GET, HEAD, OPTIONS, PATCH']
    ] as const) {
      const response = await auxiliar.send(method, url, method === 'GET' ? undefined : '{', method === 'GET' ? {} : text)
      t.equal(response.statusCode, 405, `${method} ${url}`)
      t.equal(response.headers.allow, allow)
      t.same(response.json(), { detail: `Method "${method}" not allowed.`, code: 'method_not_allowed' })
    }
    const denied = await app.inject({ method: 'GET', url: '/api/v1/api-token-auth/' })
    t.equal(denied.statusCode, 405, 'the log-in route needs no token, even with a wrong method')
    t.equal((await app.inject({ method: 'DELETE', url: '/api/v1/contracts/' })).statusCode, 401)
  })
})
