import t from 'tap'
import { demoPassword } from '../../src/domain/demo/data.ts'
import { build } from '../support/helper.ts'
import { call, tokensOf, type Answer } from '../support/over-http.ts'
import { invalid } from '../support/invalid.ts'

t.test('the first session of a new user', async (t) => {
  const { app } = await build(t)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const as = async (email: string) => {
    const tokens = await tokensOf(origin, email, demoPassword)
    const send = async (method: string, path: string, body?: unknown): Promise<Answer> => await call(origin, method, path, { token: tokens.access, body })
    return { ...tokens, send }
  }

  const director = await as('director@demo.example')
  for (const token of [director.access, director.refresh]) t.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)

  const list = await director.send('GET', 'contracts/')
  t.equal(list.status, 200)
  t.match(list.headers.get('content-type'), 'application/json')
  t.match(list.body, { count: 60, previous: null, results: { length: 20 } })
  t.match(list.body.results[0], { id: Number, folio: 'ON-2026-001', company: Number, contraparte: String, monto: '48500000.00' })
  const pages = [list.body]
  while (pages.at(-1).next !== null) {
    const { pathname, search } = new URL(pages.at(-1).next)
    t.ok(pages.at(-1).next.startsWith(`${origin}/api/v1/contracts/?`))
    pages.push((await director.send('GET', `${pathname}${search}`.replace('/api/v1/', ''))).body)
  }
  t.equal(pages.length, 3)
  t.equal(new Set(pages.flatMap(page => page.results.map(({ id }: { id: number }) => id))).size, 60)

  const created = await director.send('POST', 'contracts/', { folio: ' C-2026-100 ', monto: 1500.5, parent: list.body.results[0].id })
  t.equal(created.status, 201)
  t.match(created.body, { folio: 'C-2026-100', monto: '1500.50', estado: 'vigente', moneda: 'MXN', contraparte: null, company: list.body.results[0].company })
  const path = `contracts/${created.body.id}/`
  t.equal(created.headers.get('location'), `${origin}/api/v1/${path}`)

  const got = await director.send('GET', path)
  t.equal(got.status, 200)
  t.strictSame(got.body, created.body)

  const put = await director.send('PUT', path, { ...got.body, monto: '2000', contraparte: 'Impermeabilizaciones Muñoz e Hijos' })
  t.equal(put.status, 200)
  t.match(put.body, { ...got.body, monto: '2000.00', por_estimar: '2000.00', contraparte: 'Impermeabilizaciones Muñoz e Hijos', contraparte_id: Number, version: 2, updated_at: String })
  t.not(put.body.updated_at, got.body.updated_at)

  const missing = await director.send('POST', 'contracts/', { monto: '1' })
  t.equal(missing.status, 400)
  t.strictSame(missing.body, invalid({ folio: ['This field is required.'] }))

  const auxiliar = await as('auxiliar@demo.example')
  t.equal((await auxiliar.send('GET', path)).body.folio, 'C-2026-100')
  const forbidden = await auxiliar.send('POST', 'contracts/', { folio: 'C-2026-101' })
  t.equal(forbidden.status, 403)
  t.strictSame(forbidden.body, { detail: 'You do not have permission to perform this action.', code: 'permission_denied' })

  const stranger = await as('director@otra.example')
  for (const [method, body] of [['GET'], ['PUT', { folio: 'TAKEN' }], ['DELETE']] as Array<[string, unknown?]>) {
    const absent = await stranger.send(method, path, body)
    t.equal(absent.status, 404, method)
    t.strictSame(absent.body, { detail: 'Not found.', code: 'not_found' })
  }

  const deleted = await director.send('DELETE', path)
  t.equal(deleted.status, 204)
  t.equal(deleted.body, undefined)
  t.equal((await director.send('GET', path)).status, 404)
  t.equal((await director.send('GET', 'contracts/')).body.count, 60)

  const refreshed = await director.send('POST', 'api-token-refresh/', { refresh: director.refresh })
  t.equal(refreshed.status, 200)
  t.match(refreshed.body, { access: String, refresh: String })
  t.not(refreshed.body.refresh, director.refresh)
  t.equal((await call(origin, 'GET', 'contracts/', { token: refreshed.body.access })).body.count, 60)
  const verified = await call(origin, 'POST', 'api-token-verify/', { token: refreshed.body.access, body: { token: director.refresh } })
  t.match(verified, { status: 401, body: { valid: false, code: 'token_not_valid' } }, 'the old refresh token is spent')

  t.match(await call(origin, 'GET', 'contracts/'), { status: 401, body: { code: 'not_authenticated' } })
})
