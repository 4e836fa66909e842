import t from 'tap'
import { buildWith } from '../../support/extra-routes.ts'

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code })

/** Errors of the handlers, by path. */
const thrown: Record<string, () => unknown> = {
  plain: () => failure('password=secreto at /srv/obra/src/x.ts:1'),
  type: () => new TypeError("Cannot read properties of undefined (reading 'secreto')"),
  range: () => new RangeError('Invalid array length: secreto'),
  syntax: () => new SyntaxError('Unexpected token secreto in JSON'),
  uri: () => new URIError('secreto'),
  aggregate: () => new AggregateError([failure('secreto')], 'secreto'),
  server: () => Object.assign(failure('secreto'), { statusCode: 502 }),
  sql: () => failure('relation "secreto" does not exist', '42P01'),
  forbidden: () => failure('permission denied for table secreto', '42501'),
  internal: () => failure('secreto', 'XX000')
}

const gone: Record<string, () => unknown> = {
  refused: () => failure('connect ECONNREFUSED 10.0.0.7:5432', 'ECONNREFUSED'),
  reset: () => failure('read ECONNRESET', 'ECONNRESET'),
  pipe: () => failure('write EPIPE', 'EPIPE'),
  unresolved: () => failure('getaddrinfo ENOTFOUND db.internal', 'ENOTFOUND'),
  unresolvable: () => failure('getaddrinfo EAI_AGAIN db.internal', 'EAI_AGAIN'),
  unreachable: () => failure('connect EHOSTUNREACH', 'EHOSTUNREACH'),
  slow: () => failure('connect ETIMEDOUT', 'ETIMEDOUT'),
  pool: () => failure('timeout exceeded when trying to connect'),
  terminated: () => failure('Connection terminated unexpectedly'),
  unusable: () => failure('Client has encountered a connection error and is not queryable'),
  closed: () => failure('Client was closed and is not queryable'),
  shutdown: () => failure('terminating connection due to administrator command', '57P01'),
  starting: () => failure('the database system is starting up', '57P03'),
  full: () => failure('sorry, too many clients already', '53300'),
  disk: () => failure('could not extend file', '53100'),
  readonly: () => failure('cannot execute INSERT in a read-only transaction', '25006'),
  deadlock: () => failure('deadlock detected', '40P01')
}

t.test('errors of @fastify/sensible', async (t) => {
  const { app } = await buildWith(t, (app) => {
    app.get<{ Params: { status: string } }>('/assert/:status', { schema: { hide: true } }, async ({ params }) => app.assert(false, Number(params.status), 'secreto'))
    app.get<{ Params: { status: string } }>('/throw/:status', { schema: { hide: true } }, async ({ params }) => { throw app.httpErrors.createError(Number(params.status), 'secreto') })
  })
  const codes = { 401: 'not_authenticated', 403: 'permission_denied', 404: 'not_found', 409: 'conflict', 412: 'precondition_failed', 500: 'error', 503: 'unavailable' }

  await t.test('have the texts of their status', async (t) => {
    for (const [status, code] of Object.entries(codes)) {
      for (const place of ['assert', 'throw']) {
        const response = await app.inject(`/${place}/${status}`)
        t.strictSame([response.statusCode, response.json().code], [Number(status), code])
        t.notMatch(response.body, 'secreto')
      }
    }
    t.match((await app.inject('/assert/401')).headers, { 'www-authenticate': 'Bearer realm="api"' })
    t.match((await app.inject('/assert/503')).headers, { 'retry-after': '1' })
  })

  await t.test('are 400 or 500 if the API does not use their status', async (t) => {
    for (const [status, answered] of [[400, 400], [417, 400], [502, 500]]) t.equal((await app.inject(`/assert/${status}`)).statusCode, answered)
  })
})

t.test('internal errors', async (t) => {
  const { app } = await buildWith(t, (app) => {
    for (const [name, error] of Object.entries({ ...thrown, ...gone })) {
      app.get(`/throw/${name}`, { schema: { hide: true } }, async () => { throw error() })
      app.get(`/hook/${name}`, { schema: { hide: true }, preHandler: async () => { throw error() } }, async () => 'never')
    }
  })

  await t.test('are 500, in the caller\'s language, and reveal nothing', async (t) => {
    for (const name of Object.keys(thrown)) {
      for (const place of ['throw', 'hook']) {
        const response = await app.inject({ url: `/${place}/${name}` })
        t.equal(response.statusCode, 500, name)
        t.same(response.json(), { detail: 'A server error occurred.', code: 'error' })
        t.notMatch(JSON.stringify(response.headers), /secreto/)
        t.match(response.headers, { 'content-type': 'application/json; charset=utf-8' })
      }
      const spanish = (await app.inject({ url: `/throw/${name}`, headers: { 'accept-language': 'es' } })).json()
      t.equal(spanish.code, 'error')
      t.not(spanish.detail, 'A server error occurred.')
    }
  })

  await t.test('are 503 with Retry-After if the database is unreachable or unavailable', async (t) => {
    for (const name of Object.keys(gone)) {
      const response = await app.inject({ url: `/throw/${name}` })
      t.equal(response.statusCode, 503, name)
      t.match(response.headers['retry-after'], /^[1-9]\d*$/)
      t.equal(response.json().code, 'unavailable')
      t.notMatch(response.body, /10\.0\.0\.7|internal|terminat|deadlock|clients/i)
    }
  })
})
