import t from 'tap'
import { demoPlace, emptyPlace } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { parse, variables } from './parse.ts'

const production = { NODE_ENV: 'production', DATABASE_URL: 'embedded', JWT_SECRET: 'Zr8hQ0yNf1bKx3LmVt6wPcE9sJdG2uAo5iTq', FORCE_COLOR: '0' }

t.test('a healthy service has a line per check, and no error', async (t) => {
  const env = { ...production, ...variables(await demoPlace(t)) }
  await parse(['migrate'], env) // closes the database on PostgreSQL to other logins
  const { out, err, error } = await parse(['doctor'], env)
  t.equal(error, undefined)
  t.equal(err, '')
  const checks = out.trim().split('\n').map(line => /^(?:ok {6}|warning {1}|failed {2}) {1,2}(\S+(?: \S+)*?) {2,}\S/.exec(line)?.[1])
  t.strictSame(checks.filter(check => !['data folder', 'disk', 'settings', 'connections', 'user', 'login', 'access'].includes(check as string)), ['configuration', 'signing key', 'database', 'version', 'writes', 'clock', 'migrations', 'role', 'policies', 'triggers', 'functions', 'rights', 'memberships', 'sequences', 'statistics', 'invoices', 'webhooks', 'files', 'backup'], out)
  if (server !== undefined) t.ok(checks.includes('settings') && checks.includes('connections'), out)
  t.notMatch(out, /^failed/m)
  t.notMatch(out, production.JWT_SECRET)
})

t.test('with a failed check, the JSON lists it and the command fails', async (t) => {
  const place = await emptyPlace(t)
  const { out, error } = await parse(['doctor', '--json'], { ...production, ...variables(place), JWT_SECRET: 'kurz' })
  const { healthy, findings } = JSON.parse(out)
  t.equal(healthy, false)
  t.match((error as Error).message, /^(one check|\d checks) failed$/)
  t.match(findings[0], { check: 'configuration', outcome: 'failed', message: 'JWT_SECRET must have 32 bytes or more in production' })
  if (server === undefined) t.match(findings.at(-1), { check: 'database', outcome: 'warning', message: /embedded database does not exist yet/ })
  else t.match(findings.find(({ check }: { check: string }) => check === 'migrations'), { outcome: 'failed', message: /run `obra migrate`/ })
})

t.test('services without which servers start are tried, also if the database is unreachable', async (t) => {
  const services = { REDIS_URL: 'redis://:secreto@127.0.0.1:1', WEBHOOK_PROXY: 'http://obra:secreto@127.0.0.1:1', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }
  const { out } = await parse(['doctor'], { ...production, ...services, DATABASE_URL: 'postgres://obra@127.0.0.1:1/obra' })
  for (const name of Object.keys(services)) t.match(out, new RegExp(`^warning +services +the service of ${name} cannot be used: connect ECONNREFUSED`, 'm'))
  t.notMatch(out, /secreto/)
})

t.test('the error of an unreachable database does not show the password', async (t) => {
  const { out, error } = await parse(['doctor'], { ...production, DATABASE_URL: 'postgres://obra:secreto@127.0.0.1:1/obra' })
  t.match(out, /^failed +database +the database of DATABASE_URL cannot be used: .*ECONNREFUSED/m)
  t.notMatch(out + String((error as Error).message), /secreto/)
  t.equal((error as Error).message, 'one check failed')

  const invalid = await parse(['doctor'], { ...production, DATABASE_URL: 'postgres://obra:secreto@127.0.0.1:99999/obra' })
  t.match(invalid.out, /^failed +database +DATABASE_URL cannot be read: Invalid URL$/m)
  t.notMatch(invalid.out, /secreto/)
})
