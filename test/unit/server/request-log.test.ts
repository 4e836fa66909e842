import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { shownPath } from '../../../src/server/request-log.ts'
import { build, buildOn, logIn } from '../../support/helper.ts'
import { logOf } from '../../support/log.ts'

const named = (lines: Array<Record<string, any>>, name: string) => lines.filter(({ msg }) => msg === name)
const completed = (lines: Array<Record<string, any>>) => named(lines, 'request completed')

t.test('the logged path', async (t) => {
  t.equal(shownPath('/api/v1/contracts/?search=Ana+López'), '/api/v1/contracts/')
  t.equal(shownPath('/api/v1/contracts/17/tree/'), '/api/v1/contracts/17/tree/')
  t.equal(shownPath('/api/v1/contracts/eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoxfQ.c2lnbmF0dXJl/x'), '/api/v1/contracts/*/x')
  t.equal(shownPath('/Mi%20contrase%C3%B1a'), '/*')
  t.ok(shownPath('/a'.repeat(50_000)).length < 100)
})

t.test('the request log', async (t) => {
  const server = await build(t, { LOG_LEVEL: 'trace', LOG_REQUESTS: 'on', LOGIN_FAILURES_PER_ACCOUNT: 3 })
  const { app, database, psql } = server
  const lines = logOf(app)
  const director = await logIn(app, 'director@demo.example')

  await t.test('has one line per request', async (t) => {
    lines.length = 0
    const [{ id }] = (await director.get('contracts/?page_size=1&search=o', { 'x-request-id': 'from-the-caller-1' })).json().results
    await director.get(`contracts/${id}/`)
    await app.inject('/api/v1/nothing/?q=1')
    await app.inject('/health/live/')
    const [caller] = await psql("select u.id, u.company_id as company from users u where u.email = 'director@demo.example'")
    const [list, record, unknown, ...others] = completed(lines)
    t.match(list, { level: 30, reqId: 'from-the-caller-1', method: 'GET', route: '/api/v1/contracts/', path: '/api/v1/contracts/', status: 200, user: caller?.['id'], company: caller?.['company'], address: '127.0.0.1' })
    t.type(list?.['ms'], 'number')
    t.match(record, { route: '/api/v1/contracts/:id/', path: `/api/v1/contracts/${id}/`, status: 200 })
    t.match(unknown, { method: 'GET', route: undefined, path: '/api/v1/nothing/', status: 401, user: undefined })
    t.strictSame(others, [], 'no line for a successful probe')
  })

  await t.test('is off, or only for errors, by LOG_REQUESTS, and by a higher LOG_LEVEL', async (t) => {
    const statuses = async (t: Test, overrides: Parameters<typeof build>[1]) => {
      const other = await buildOn(t, { ...database, close: async () => {} }, overrides)
      const lines = logOf(other)
      for (const url of ['/health/live/', '/api/v1/api-token-auth/', '/api/v1/contracts/']) await other.inject(url)
      await other.inject({ url: '/api/v1/contracts/', headers: { authorization: `Bearer ${director.access}` } })
      return completed(lines).map(({ status }) => status)
    }
    t.strictSame(await statuses(t, { LOG_LEVEL: 'info', LOG_REQUESTS: 'errors' }), [405, 401])
    t.strictSame(await statuses(t, { LOG_LEVEL: 'info', LOG_REQUESTS: 'off' }), [])
    t.strictSame(await statuses(t, { LOG_LEVEL: 'warn', LOG_REQUESTS: 'on' }), [])
    t.strictSame(await statuses(t, { LOG_LEVEL: 'info' }), [405, 401, 200], 'it is on by default')
  })

  await t.test('never contains a token, password, body or search term', async (t) => {
    lines.length = 0
    const secrets = ['secreto-', director.access, director.refresh, director.access.split('.')[2], 'argon2id', 'hunter2']
    const send = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: string | object, headers: Record<string, string> = {}) =>
      (await app.inject({ method, url, payload, headers: { ...typeof payload === 'string' ? { 'content-type': 'application/json' } : {}, ...headers } })).statusCode
    const bearer = { authorization: `Bearer ${director.access}` }
    const auth = '/api/v1/api-token-auth/'
    t.equal(await send('POST', auth, '{"email":"director@demo.example","password":"secreto-1"'), 400, 'malformed JSON')
    t.equal(await send('POST', auth, '{"password":secreto-2}'), 400)
    t.equal(await send('POST', auth, { email: 'director@demo.example', password: 'secreto-3' }), 401)
    t.equal(await send('POST', auth, { email: 'secreto-4@demo.example', password: 5, more: 'secreto-5' }), 400)
    t.equal(await send('POST', auth, 'password=secreto-6', { 'content-type': 'application/x-www-form-urlencoded' }), 415)
    t.equal(await send('GET', '/api/v1/me/', undefined, { authorization: `Bearer ${director.access}x` }), 401)
    t.equal(await send('GET', '/api/v1/me/', undefined, { authorization: 'Basic aHVudGVyMg== hunter2' }), 401)
    t.equal(await send('GET', `/api/v1/me/?token=${director.access}`), 401, 'a token in the query')
    t.equal(await send('GET', `/api/v1/contracts/${director.access}/`, undefined, bearer), 404, 'or in the path')
    t.equal(await send('GET', '/api/v1/contracts/?search=secreto-7', undefined, bearer), 200)
    t.equal(await send('GET', '/api/v1/contracts/?secreto-8=1', undefined, bearer), 400)
    t.equal(await send('POST', '/api/v1/api-token-verify/', { token: director.refresh }, bearer), 200)
    t.equal(await send('POST', '/api/v1/api-token-refresh/', { refresh: `${director.refresh}x` }, bearer), 401)
    t.equal(await send('POST', '/api/v1/contracts/', { folio: 'secreto-9', descripcion: 'secreto-10' }, { ...bearer, 'idempotency-key': 'secreto-11', cookie: 'secreto-12' }), 201)
    t.equal(await send('POST', '/api/v1/me/password/', { current: 'secreto-13', new: 'secreto-14' }, bearer), 400)

    await psql("create function boom() returns trigger language plpgsql as $$ begin raise exception 'boom'; end $$")
    await psql("create trigger boom before insert or update on contracts for each row when (new.descripcion like 'secreto-boom%') execute function boom()")
    await psql("alter table contracts add constraint never check (descripcion <> 'secreto-never') not valid")
    for (const [descripcion, status] of [['secreto-boom', 500], ['secreto-never', 400]] as const) {
      t.equal(await send('POST', '/api/v1/contracts/', { folio: `secreto-${descripcion}`, descripcion }, bearer), status, 'a database error')
      t.equal(await send('POST', '/api/v1/contracts/', { folio: `secreto-${descripcion}`, descripcion }, { ...bearer, 'idempotency-key': descripcion }), status)
      t.equal(await send('POST', '/api/v1/contracts/bulk/', { items: [{ folio: `secreto-${descripcion}`, descripcion }] }, bearer), status)
    }
    const refreshed = await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh: director.refresh }, headers: bearer })
    secrets.push(...Object.values(refreshed.json() as Record<string, string>))

    t.ok(completed(lines).length >= 22, `${lines.length} lines`)
    t.not(named(lines, 'request failed').length, 0)
    const log = JSON.stringify(lines)
    for (const secret of secrets) t.notOk(log.includes(secret), `${secret} in ${JSON.stringify(lines.find(line => JSON.stringify(line).includes(secret)))}`)
  })
})

t.test('a request whose client disconnects before its answer has its own line', async (t) => {
  const { app } = await build(t, { LOG_LEVEL: 'info', LOG_REQUESTS: 'errors' })
  const lines = logOf(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect({ port: (app.server.address() as AddressInfo).port, host: '127.0.0.1' })
  const received = once(app.server, 'request')
  socket.write('POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra.example\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
  await received
  socket.destroy()
  const aborted = () => named(lines, 'request aborted')
  while (aborted().length === 0) await nextRound()
  const [line, ...others] = aborted()
  t.match(line, { level: 30, method: 'POST', route: '/api/v1/api-token-auth/', path: '/api/v1/api-token-auth/', address: '127.0.0.1' })
  t.type(line.ms, 'number')
  t.notOk('status' in line)
  t.strictSame([others, completed(lines)], [[], []])
})
