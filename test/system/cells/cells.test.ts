import t, { type Test } from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { decode } from '../../support/forge.ts'
import { build, type TestServer } from '../../support/helper.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { until } from '../../support/until.ts'
import { startRouter, type Cell, type Router } from './router.ts'

const [east, west] = ['director@demo.example', 'director@otra.example']

interface Cells {
  router: Router
  east: TestServer
  west: TestServer
  /** Tokens of a Director of each cell. */
  tokens: Record<'east' | 'west', Awaited<ReturnType<typeof tokensOf>>>
}

/** Two cells behind a router. Both databases have the same ids and emails: only the directory knows whose customer is where. */
async function startCells (t: Test): Promise<Cells> {
  const start = async (name: string): Promise<[TestServer, Cell]> => {
    const server = await build(t, { CELL: name, JWT_SECRET: `the signing key of the cell ${name}, 32 bytes`, TRUST_PROXY: '127.0.0.1' })
    return [server, { name, origin: await server.app.listen({ host: '127.0.0.1', port: 0 }) }]
  }
  const [eastern, eastCell] = await start('east')
  const [western, westCell] = await start('west')
  const router = await startRouter([eastCell, westCell], new Map([[east, 'east'], [west, 'west']]))
  t.teardown(router.close)
  const tokens = { east: await tokensOf(router.origin, east, demoPassword), west: await tokensOf(router.origin, west, demoPassword) }
  return { router, east: eastern, west: western, tokens }
}

const logIn = async (origin: string, email: string, password: string) => await call(origin, 'POST', 'api-token-auth/', { body: { email, password } })

/** The token with another `kid`. */
function withKeyId (token: string, kid: string): string {
  const [, ...rest] = token.split('.')
  return [Buffer.from(JSON.stringify({ ...decode(token).header, kid })).toString('base64url'), ...rest].join('.')
}

t.test('requests reach the cell of their customer', async (t) => {
  const { router: { origin, sent, open }, tokens: { east: own, west: other }, east: { psql }, west: { psql: psqlWest } } = await startCells(t)
  t.strictSame([own, other].map(({ access, refresh }) => [access, refresh].map(token => decode(token).header['kid'])), [['east', 'east'], ['west', 'west']])
  t.equal((await logIn(origin, ` ${west.toUpperCase()}`, demoPassword)).status, 200, 'an email in another form')
  t.strictSame(Object.fromEntries(sent), { east: 1, west: 2 })

  const token = other.access
  const created = await call(origin, 'POST', 'contracts/', { token, body: { folio: 'ONLY-WEST' }, headers: { 'idempotency-key': 'one' } })
  t.equal(created.status, 201)
  t.match(created.headers.get('location'), `${origin}/api/v1/contracts/`, 'links have the address of the router')
  t.equal((await call(origin, 'POST', 'contracts/', { token, body: { folio: 'ONLY-WEST' }, headers: { 'idempotency-key': 'one' } })).headers.get('idempotency-replayed'), 'true')
  const path = `contracts/${created.body.id}/`
  const read = await call(origin, 'GET', path, { token })
  t.equal((await call(origin, 'GET', path, { token, headers: { 'if-none-match': read.headers.get('etag') as string } })).status, 304)
  t.equal((await call(origin, 'PATCH', path, { token, body: { monto: '7.00' }, headers: { 'if-match': read.headers.get('etag') as string } })).status, 200)
  t.equal((await psqlWest("select from contracts where folio = 'ONLY-WEST'")).length, 1)
  t.equal((await psql("select from contracts where folio = 'ONLY-WEST'")).length, 0)

  await t.test('tokens are verified, refreshed and revoked', async (t) => {
    for (const { access, refresh } of [own, other]) t.equal((await call(origin, 'POST', 'api-token-verify/', { token: access, body: { token: refresh } })).status, 200)
    const { status, body } = await call(origin, 'POST', 'api-token-refresh/', { token, body: { refresh: other.refresh } })
    t.equal(status, 200)
    t.equal(decode(body.access).header['kid'], 'west')
    const { access, refresh } = body
    t.ok((await call(origin, 'POST', 'api-token-revoke/', { token: access, body: { refresh } })).status < 300)
    t.equal((await call(origin, 'GET', 'me/', { token: access })).status, 401)
    t.equal((await call(origin, 'GET', 'me/', { token: own.access })).status, 200)
  })

  await t.test('a request that waits for changes, and the stream of revisions', async (t) => {
    const { access: token } = await tokensOf(origin, west, demoPassword)
    const { cursor } = (await call(origin, 'GET', 'changes/?page_size=1000', { token })).body
    const waiting = call(origin, 'GET', `changes/?cursor=${cursor}`, { token, headers: { prefer: 'wait=30' } })
    const stream = await fetch(`${origin}/api/v1/changes/events/`, { headers: { authorization: `Bearer ${token}` } })
    const events = (stream.body as ReadableStream<Uint8Array>).getReader()
    const next = async () => Number(/"revision":(\d+)/.exec(new TextDecoder().decode((await events.read()).value))?.[1])
    const before = await next()
    await until(() => open() === 2)

    const { id } = (await call(origin, 'POST', 'contrapartes/', { token, body: { nombre: 'Del oeste' } })).body
    t.match((await waiting).body, { changes: [{ resource: 'contrapartes', id }] })
    t.equal(await next(), before + 1)
    await events.cancel()
    await until(() => open() === 0)
  })
})

t.test('no hint in a request reaches the data of another cell', async (t) => {
  const { router: { origin, sent }, tokens: { east: own, west: other }, west: { psql } } = await startCells(t)
  const [{ id }] = await psql("insert into contracts (company_id, folio) select company_id, 'SECRET-WEST' from contracts where id = 1 returning id") as [{ id: number }]
  t.equal((await call(origin, 'GET', `contracts/${id}/`, { token: own.access })).status, 404, 'the same id in the own cell')

  const before = sent.get('west') as number
  const forged = withKeyId(own.access, 'west')
  for (const path of ['contracts/', `contracts/${id}/`, 'changes/', 'me/']) {
    const { status, body } = await call(origin, 'GET', path, { token: forged })
    t.equal(status, 401, path)
    t.equal(body.code, 'token_not_valid')
  }
  t.equal(sent.get('west'), before + 4, 'the router believed the token, the cell did not')
  for (const [kid, status] of [['', 401], ['north', 401], ['__proto__', 401], ['x'.repeat(2000), 401], ['x'.repeat(5000), 400]] as const) {
    t.equal((await call(origin, 'GET', 'contracts/', { token: withKeyId(own.access, kid) })).status, status, kid.slice(0, 20))
  }

  const hints = { 'x-cell': 'west', cookie: 'cell=west', 'x-forwarded-host': 'west', 'x-original-url': `/api/v1/contracts/${id}/` }
  t.match(await call(origin, 'GET', 'contracts/?folio=SECRET-WEST', { token: own.access, headers: hints }), { status: 200, body: { count: 0 } })
  t.equal((await call(origin, 'POST', 'api-token-refresh/', { token: own.access, body: { refresh: other.refresh } })).status, 401, 'a refresh token of another cell')
  t.equal((await call(origin, 'POST', 'api-token-refresh/', { token: forged, body: { refresh: own.refresh } })).status, 401)
  for (const foreign of [other.access, other.refresh, forged]) t.match(await call(origin, 'POST', 'api-token-verify/', { token: own.access, body: { token: foreign } }), { status: 401, body: { valid: false } })
  t.equal((await call(origin, 'GET', 'me/', { token: own.access })).status, 200, 'the session still lives')
})

t.test('an unknown email is answered like a wrong password, whichever cell answers', async (t) => {
  const { router: { origin, sent } } = await startCells(t)
  const answers: string[] = []
  const emails = [east, west, ...Array.from({ length: 6 }, (_, number) => `nobody${number}@example.mx`)]
  const before = [...sent.values()]
  for (const email of emails) {
    const { status, body, headers } = await logIn(origin, email, 'not the password')
    answers.push(JSON.stringify([status, body, headers.get('www-authenticate'), [...headers.keys()].sort()]))
  }
  t.match(answers[0], /^\[401,\{"detail":"[^"]+","code":"no_active_account"\}/)
  t.equal(new Set(answers).size, 1)
  for (const [index, count] of [...sent.values()].entries()) t.ok(count > before[index] + 1, 'both cells answered unknown emails')

  const large = await logIn(origin, east, 'x'.repeat(20_000))
  t.equal(large.status, 413)
  const text = await fetch(`${origin}/api/v1/api-token-auth/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"email":' })
  t.equal(text.status, 400)
})

t.test('a cell that is down affects only its customers', async (t) => {
  const { router: { origin }, tokens: { east: own, west: other }, west: { app } } = await startCells(t)
  await app.close()
  t.equal((await call(origin, 'GET', 'contracts/', { token: own.access })).status, 200)
  t.equal((await call(origin, 'POST', 'contracts/', { token: own.access, body: { folio: 'STILL-UP' } })).status, 201)
  t.equal((await logIn(origin, east, demoPassword)).status, 200)

  const refused = await fetch(`${origin}/api/v1/contracts/`, { headers: { authorization: `Bearer ${other.access}` } })
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  t.strictSame(Object.keys(await refused.json() as object), ['detail', 'code'])
  t.equal((await fetch(`${origin}/api/v1/api-token-auth/`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: west, password: demoPassword }) })).status, 503)
})
