import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { demoPassword } from '../../../src/demo/data.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { call, tokensOf } from '../../over-http.ts'
import { emptyPlace, obra, refusedStart, startServer } from '../../process.ts'

const production = { NODE_ENV: 'production', JWT_SECRET: 'a key of the tests for production, long enough' }
const password = 'una contraseña que nadie sabe'

t.test('production invents nothing, migrates by `obra migrate` alone, and its variables take effect', async (t) => {
  const place = await emptyPlace(t)

  const refused = await refusedStart(t, place, { ...production, PORT: '0' })
  t.not(refused.code, 0)
  t.match(refused.stderr, /^obra: 5 migrations have not run \([^\n]+\): run `obra migrate` first\n$/)

  const migrated = await obra(t, place, ['migrate', '--json'], production)
  t.equal(migrated.code, 0)
  t.same(JSON.parse(migrated.stdout).migrated, migrations.map(({ name }) => name))
  t.equal((await obra(t, place, ['create-user', 'raiz@obra.mx', '--nivel', '6', '--password-stdin'], production, `${password}\n`)).code, 0)

  const running = await startServer(t, place, { ...production, DEFAULT_LANGUAGE: 'es', LOG_LEVEL: 'trace', TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' })
  const { origin } = running
  const demo = await call(origin, 'POST', 'api-token-auth/', { body: { email: 'director@demo.example', password: demoPassword } })
  t.match(demo, { status: 401, body: { code: 'no_active_account', detail: 'La combinación de credenciales no tiene una cuenta activa' } }, 'no demo data; the default language')
  t.notMatch(running.output(), 'demo')
  t.notOk(existsSync(join(place.dataDir, 'signing-key')), 'no key is made up')

  const first = await tokensOf(origin, 'raiz@obra.mx', password)
  const wrong = await call(origin, 'POST', 'api-token-auth/', { body: { email: 'raiz@obra.mx', password: `${password}?` } })
  t.equal(wrong.status, 401)
  const second = await call(origin, 'POST', 'api-token-refresh/', { token: first.access, body: { refresh: first.refresh } })
  t.equal(second.status, 200)
  t.equal((await call(origin, 'GET', 'me/', { token: `${first.access}x` })).status, 401)
  t.equal((await call(origin, 'POST', 'api-token-verify/', { token: second.body.access, body: { token: second.body.refresh } })).status, 200)
  const missing = await call(origin, 'GET', 'contracts/', { token: second.body.access })
  t.match(missing, { status: 403, body: { code: 'no_active_company' } })

  const { code, stdout } = await running.end()
  t.equal(code, 0)
  t.match(stdout, '"level"')
  for (const secret of [password, demoPassword, production.JWT_SECRET, first.access, first.refresh, second.body.access, second.body.refresh]) {
    t.notOk(stdout.includes(secret), 'no token, key or password is logged')
  }
})
