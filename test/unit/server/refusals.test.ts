import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { emptyPlace, refusedStart, type Place } from '../../support/process.ts'
import { databaseUrl, server } from '../../support/template.ts'

/** An invalid value for each variable that can have one. */
const wrong = {
  PORT: 'http',
  WORKERS: 'many',
  DATABASE_URL: 'mysql://localhost/obra',
  DATABASE_POOL: '0',
  DATABASE_WAIT_SECONDS: 'long',
  PUBLIC_URL: 'api.example.mx',
  TRUST_PROXY: 'proxy.local',
  LOG_LEVEL: 'loud',
  LOG_REQUESTS: 'some',
  METRICS_PORT: '70000',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
  OTEL_TRACES_SAMPLER_ARG: '2',
  DEFAULT_LANGUAGE: 'fr',
  RATE_LIMIT: 'maybe',
  LOGIN_FAILURES_PER_ACCOUNT: '0',
  LOGIN_FAILURES_PER_ADDRESS: 'few',
  LOGIN_ATTEMPTS_PER_ADDRESS: 'many',
  LOGIN_WINDOW_SECONDS: '-1'
}

async function takenPort (t: Test): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  return (taken.address() as AddressInfo).port
}

/** Expects one line on standard error and an exit code other than 0. */
async function refuses (t: Test, place: Place, env: Record<string, string>, reason: RegExp): Promise<void> {
  const { code, stdout, stderr } = await refusedStart(t, place, { PORT: '0', LOG_LEVEL: 'silent', ...env })
  t.not(code, 0)
  t.match(stderr, reason)
  t.match(stderr, /^obra: [^\n]+\n$/)
  t.equal(stdout, '')
}

t.test('an error at start is one line without a stack trace', async (t) => {
  const place = await emptyPlace(t)
  const file = `${place.dir}/file`
  writeFileSync(file, '')
  await Promise.all([
    refuses(t, place, { ...wrong, NODE_ENV: 'production' }, new RegExp([...Object.keys(wrong), 'JWT_SECRET'].map(name => `(?=.*\\b${name}\\b)`).join(''))),
    refuses(t, place, { JWT_SECRET: 'x', DATABASE_WAIT_SECONDS: '0', DATABASE_URL: 'postgres://postgres@127.0.0.1:1/obra' }, /the database of DATABASE_URL cannot be used: .*ECONNREFUSED/)
  ])
  await t.rejects(openDatabase(loadConfig({ DATA_DIR: file }), 'refuse'), { message: /file/ })
  if (server !== undefined) {
    await refuses(t, place, { DATABASE_URL: databaseUrl('obra_test_not_there') }, /database "obra_test_not_there" does not exist/)
  }
})

t.test('the error of a port in use is one line, before a first start makes a database', async (t) => {
  const [port, place] = [await takenPort(t), await emptyPlace(t)]
  await refuses(t, place, { PORT: String(port) }, new RegExp(`port ${port} is in use`))
  t.notOk(existsSync(join(place.dir, 'data')))
})
