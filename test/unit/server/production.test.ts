import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { migrations } from '../../../src/database/migrations/index.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { argumentsIn, barePlace, obra, refusedStart, startServer, type Place } from '../../support/process.ts'
import { onServer } from '../../support/template.ts'

const production = { NODE_ENV: 'production', JWT_SECRET: 'a key of the tests for production, long enough' }
const password = 'una contraseña que nadie sabe'
const redisPassword = 'la-contrasenia-de-redis'
const proxyPassword = 'la-contrasenia-del-proxy'

/** A place's variables with a password in DATABASE_URL. A database that requires no password ignores it. */
function withPassword ({ env: { DATABASE_URL: url, ...env } }: Place): { env: Record<string, string>, databasePassword: string, name: string } {
  if (url === undefined) return { env: { ...env, DATABASE_URL: 'embedded' }, databasePassword: 'la-que-no-hay', name: '' }
  const address = new URL(url)
  address.password ||= 'la-contrasenia-de-la-base'
  return { env: { ...env, DATABASE_URL: address.href }, databasePassword: address.password, name: address.pathname.slice(1) }
}

t.test('production creates no key or demo data, migrates only by `obra migrate`, and applies its variables', async (t) => {
  const empty = await barePlace(t)
  const { env, databasePassword, name } = withPassword(empty)
  const place = { ...empty, env }

  const refused = await refusedStart(t, place, { ...production, PORT: '0' })
  t.not(refused.code, 0)
  t.match(refused.stderr, new RegExp(`^obra: ${migrations.length} migrations have not run \\([^\n]+\\): run \`obra migrate\` first\n$`))

  const migrated = await obra(t, place, ['migrate', '--json'], production)
  t.equal(migrated.code, 0)
  t.same(JSON.parse(migrated.stdout).migrated, migrations.map(({ name }) => name))
  t.equal((await obra(t, place, ['create-user', 'raiz@obra.mx', '--nivel', '6', '--password-stdin'], production, `${password}\n`)).code, 0)

  const running = await startServer(t, place, { ...production, DEFAULT_LANGUAGE: 'es', LOG_LEVEL: 'trace', LOG_REQUESTS: 'on', TRUST_PROXY: '10.0.0.0/8, 127.0.0.1', METRICS_PORT: '0', REDIS_URL: `redis://:${redisPassword}@127.0.0.1:1`, WEBHOOK_PROXY: `http://obra:${proxyPassword}@127.0.0.1:1`, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const { origin } = running
  const demo = await call(origin, 'POST', 'api-token-auth/', { body: { email: 'director@demo.example', password: demoPassword } })
  t.match(demo, { status: 401, body: { code: 'no_active_account', detail: 'La combinación de credenciales no tiene una cuenta activa' } }, 'no demo data; the default language')
  t.notMatch(running.output(), 'demo')
  t.notOk(existsSync(join(place.dataDir, 'signing-key')), 'no key is created')

  const first = await tokensOf(origin, 'raiz@obra.mx', password)
  const wrong = await call(origin, 'POST', 'api-token-auth/', { body: { email: 'raiz@obra.mx', password: `${password}?` } })
  t.equal(wrong.status, 401)
  const second = await call(origin, 'POST', 'api-token-refresh/', { token: first.access, body: { refresh: first.refresh } })
  t.equal(second.status, 200)
  t.equal((await call(origin, 'GET', 'me/', { token: `${first.access}x` })).status, 401)
  t.equal((await call(origin, 'POST', 'api-token-verify/', { token: second.body.access, body: { token: second.body.refresh } })).status, 200)
  const missing = await call(origin, 'GET', 'contracts/', { token: second.body.access })
  t.match(missing, { status: 403, body: { code: 'no_active_company' } })

  const secrets = [password, demoPassword, production.JWT_SECRET, databasePassword, redisPassword, proxyPassword, ...[first, second.body].flatMap(({ access, refresh }) => [access, refresh, access.split('.')[2], refresh.split('.')[2]])]
  const bearer = { token: second.body.access as string }
  const answers = [wrong, missing]
  for (const [method, path, more] of [
    ['POST', 'api-token-auth/', { body: { email: password, password: 5 } }], ['POST', 'me/password/', { ...bearer, body: { current: password, new: 'corta' } }],
    ['POST', 'api-token-refresh/', { ...bearer, body: { refresh: first.access } }], ['GET', `contracts/?${bearer.token}=${first.refresh}`, bearer], ['GET', `contracts/${first.access}/`, bearer]
  ] as const) answers.push(await call(origin, method, path, more))
  t.ok(answers.every(({ status }) => status >= 400))
  const metrics = await (await fetch(`http://127.0.0.1:${/"port":(\d+),"msg":"metrics at/.exec(running.output())?.[1]}/metrics`)).text()
  t.match(metrics, 'obra_password_attempts_total')
  const listed = argumentsIn(place.dir)
  t.match(listed, ['src/server.ts'])
  if (name !== '') {
    await onServer(async (client) => {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    })
    for (const one of [await call(origin, 'GET', 'me/', bearer), await call(origin, 'POST', 'api-token-auth/', { body: { email: 'raiz@obra.mx', password } })]) {
      t.equal(one.status, 503, 'the database is unavailable')
      answers.push(one)
    }
  }

  const { code, stdout } = await running.end()
  t.equal(code, 0)
  t.match(stdout, '"level"')
  t.match(stdout, 'Redis (REDIS_URL) is unreachable')
  for (const name of ['WEBHOOK_PROXY', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
    const lines = stdout.split('\n').filter(line => line.includes(`the service of ${name} cannot be used`))
    t.match(lines.map(line => JSON.parse(line)), [{ level: 40, msg: /ECONNREFUSED/ }], `one warning names ${name}`)
  }
  const seen = { log: running.output(), responses: JSON.stringify(answers.map(({ headers, body }) => [...headers, body])), metrics, arguments: listed.join('\n') }
  for (const [where, text] of Object.entries(seen)) {
    for (const secret of secrets) t.notOk(text.includes(secret as string), `no token, key or password is in ${where}: ${secret}`)
  }
})
