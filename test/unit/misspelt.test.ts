import t from 'tap'
import { examineConfig } from '../../src/cli/doctor/process.ts'
import { misspelt } from '../../src/config/misspelt.ts'
import { configSchema } from '../../src/config/variables.ts'
import { demoPlace, refusedStart } from '../support/process.ts'

const line = (given: string, likely: string) => `${given} is not a variable of Obra and has no effect: if you mean ${likely}, rename it`

t.test('a variable with another spelling is named with the likely one', async (t) => {
  const likely = {
    JWT_SECRETT: 'JWT_SECRET',
    JWT_SERCET: 'JWT_SECRET',
    jwt_secret: 'JWT_SECRET',
    DATABASE_URI: 'DATABASE_URL',
    DATADIR: 'DATA_DIR',
    CORS_ORIGIN: 'CORS_ORIGINS',
    WEBHOOK_KEYS: 'WEBHOOK_KEY',
    LOGLEVEL: 'LOG_LEVEL',
    WORKER: 'WORKERS',
    DATABASE_REPLICA: 'DATABASE_REPLICAS'
  }
  for (const [given, name] of Object.entries(likely)) t.strictSame(misspelt({ [given]: 'x' }), [line(given, name)])
  t.strictSame(misspelt({ JWT_SECRETT: 'x', FILES_URI: 'x' }).length, 2)
})

t.test('variables of Obra and of other programs are not named', async (t) => {
  t.strictSame(misspelt(Object.fromEntries(Object.keys(configSchema.properties).map(name => [name, 'x']))), [])
  const foreign = [
    'PATH', 'HOME', 'HOSTNAME', 'POST', 'SORT', 'SHELL', 'CELLS', 'USER', 'LANG', 'LC_ALL', 'PWD', 'OLDPWD', 'SHLVL', 'TERM', 'TZ', 'TMPDIR', 'DEBUG', 'NODE_OPTIONS', 'NODE_PATH',
    'npm_config_cache', 'HTTP_PROXY', 'https_proxy', 'NO_PROXY', 'PGHOST', 'PGPORT', 'PGDATABASE', 'PGUSER', 'AWS_REGION', 'AWS_PROFILE',
    'OTEL_SERVICE_NAME', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_LOGS_EXPORTER', 'OTEL_METRICS_EXPORTER',
    'REDIS_PORT', 'REDIS_HOST', 'DATABASE_HOST', 'DATABASE_NAME', 'POSTGRES_DB', 'LISTEN_FDS', 'NOTIFY_SOCKET', 'INVOCATION_ID', 'JOURNAL_STREAM', 'LOGNAME'
  ]
  t.strictSame(misspelt(Object.fromEntries(foreign.map(name => [name, 'x']))), [])
  t.strictSame(misspelt({ JWT_SECRETT: '' }), [], 'an empty variable counts as unset')
  t.strictSame(misspelt({ DATABASE_URL: 'x', DATABASE_URL2: 'x' }), [], 'the right one is set')
})

t.test('doctor warns, and so does a start', async (t) => {
  for (const env of [{ JWT_SECRETT: 'a secret' }, { JWT_SECRETT: 'a secret', PORT: 'x' }]) {
    const warnings = examineConfig(env).findings.filter(({ outcome }) => outcome === 'warning')
    t.strictSame(warnings, [{ check: 'configuration', outcome: 'warning', message: line('JWT_SECRETT', 'JWT_SECRET') }])
  }
  const place = await demoPlace(t)
  const { stderr } = await refusedStart(t, place, { PORT: '0', JWT_SECRETT: 'a secret', DATABASE_URL: 'postgres://127.0.0.1:1/none', DATABASE_WAIT_SECONDS: '0' })
  t.ok(stderr.startsWith(`obra: warning: ${line('JWT_SECRETT', 'JWT_SECRET')}\n`), stderr)
  t.notMatch(stderr, /a secret/)
})
