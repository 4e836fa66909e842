import t from 'tap'
import { loadConfig, trustProxy } from '../../src/config.ts'
import { configSchema } from '../../src/config/variables.ts'

const secret = 'x'.repeat(32)

t.test('every variable has a default or is optional', async (t) => {
  t.strictSame(loadConfig({}), {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: 3000,
    WORKERS: 1,
    DATABASE_POOL: 10,
    DATABASE_WAIT_SECONDS: 30,
    PAGE_CACHE_MB: 12,
    DATA_DIR: './data',
    FILES_QUOTA_MB: 10_000,
    TRUST_PROXY: 'false',
    DOCS: 'on',
    LOG_LEVEL: 'info',
    LOG_REQUESTS: 'on',
    METRICS_HOST: '127.0.0.1',
    OTEL_TRACES_SAMPLER_ARG: 1,
    OTEL_SDK_DISABLED: 'false',
    DEFAULT_LANGUAGE: 'en',
    RATE_LIMIT: 'on',
    API_REQUESTS_PER_MINUTE: 6000,
    UNAUTHENTICATED_REQUESTS_PER_MINUTE: 3000,
    MAX_CONNECTIONS: 20_000,
    CUSTOMER_CONNECTIONS_PERCENT: 25,
    WAITS_PER_USER: 20,
    LOGIN_FAILURES_PER_ACCOUNT: 10,
    LOGIN_FAILURES_PER_ADDRESS: 100,
    LOGIN_ATTEMPTS_PER_ADDRESS: 300,
    LOGIN_WINDOW_SECONDS: 60,
    WEBHOOKS: 'on',
    WEBHOOK_PORTS: '443'
  })
  const empty = Object.fromEntries(Object.keys(configSchema.properties).map(name => [name, '']))
  t.strictSame(loadConfig(empty), loadConfig({}), 'an empty variable counts as unset')
  t.strictSame(loadConfig({ HOME: '/root', PATH: '/bin', npm_config_port: '1' }), loadConfig({}), 'other variables are ignored')
})

t.test('every variable has a description, and the documented ones exist', async (t) => {
  for (const [name, { description }] of Object.entries(configSchema.properties)) t.ok(description, name)
  const documented = ['HOST', 'PORT', 'DATABASE_URL', 'DATABASE_POOL', 'DATA_DIR', 'JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'PUBLIC_URL', 'TRUST_PROXY', 'LOG_LEVEL', 'DEFAULT_LANGUAGE']
  for (const name of documented) t.ok(Object.hasOwn(configSchema.properties, name), name)
  t.match(loadConfig({ PORT: '0', DATABASE_POOL: '25', LOGIN_WINDOW_SECONDS: '3600' }), { PORT: 0, DATABASE_POOL: 25, LOGIN_WINDOW_SECONDS: 3600 })
})

/** Valid and invalid values of each variable. */
const values: Record<string, { good: string[], bad: string[] }> = {
  PORT: { good: ['0', '80', '65535'], bad: ['65536', '-1', '80.5', 'http', '80a'] },
  WORKERS: { good: ['1'], bad: ['0', '-1', '1.5', '257', 'all'] },
  DATABASE_URL: {
    good: ['postgres://u:p@h:5432/d', 'postgresql://h/d?sslmode=require', 'postgres:///d?host=/run/postgresql', 'postgres://h/d?sslmode=verify-full&sslrootcert=/ca.pem'],
    bad: ['mysql://h/d', 'h/d', 'postgres://', 'postgres://h', 'postgres://h:5432/', 'http://h/postgres://h/d', 'postgres://h/d?options=-c%20role=postgres', 'postgres://h/d?sslmode=require&role=x']
  },
  DATABASE_REPLICAS: {
    good: ['postgres://u:p@h:5432/d', 'postgres://h/d, postgresql://i:6432/d?sslmode=require'],
    bad: ['postgres://h/d,', ',postgres://h/d', 'postgres://h/d i/d', 'h:5432', 'postgres://h/d;postgres://i/d?options=-c%20role=postgres']
  },
  DATABASE_POOL: { good: ['4', '1000'], bad: ['3', '0', '1001', '-5', 'all'] },
  PAGE_CACHE_MB: { good: ['0', '512'], bad: ['-1', '1.5', '24MB'] },
  FILES_QUOTA_MB: { good: ['0', '1000000000'], bad: ['-1', '1.5', '10GB'] },
  FILES_URL: {
    good: ['s3://obra-files', 's3://obra.files/a/b-1/?region=eu-central-1', 's3://obra/x?endpoint=https://s3.example.mx:9000&public-endpoint=http://127.0.0.1'],
    bad: ['obra-files', 'https://obra-files.s3.amazonaws.com', 's3://', 's3://Obra', 's3://key:secret@obra', 's3://key@obra', 's3://obra:9000', 's3://obra//x', 's3://obra/a b', 's3://obra#x', 's3://obra?endpoint=s3.example.mx', 's3://obra?endpoint=https://k:s@s3.example.mx', 's3://obra?endpoint=https://s3.example.mx/path', 's3://obra?region=', 's3://obra?region=a&region=b', 's3://obra?acl=public']
  },
  PUBLIC_URL: { good: ['https://api.example.mx', 'http://10.0.0.1:8080'], bad: ['api.example.mx', 'ftp://h', 'https://h/', 'https://h/api', 'https://h?x', 'https://'] },
  TRUST_PROXY: {
    good: ['true', 'false', '1', '9', '127.0.0.1', '10.0.0.0/8,::1', '10.0.0.0/8, 192.168.0.0/16 , fd00::/8'],
    bad: ['0', '10', '1.5', '-1', 'yes', 'TRUE', 'loopback', '999.0.0.1', '1,127.0.0.1', 'proxy.local', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/0', '10.0.0.0/8/8', '127.0.0.1,', '127.0.0.1 10.0.0.1']
  },
  CORS_ORIGINS: { good: ['https://app.example.mx', 'http://127.0.0.1:5173, https://app.example.mx'], bad: ['*', 'https://*.example.mx', 'app.example.mx', 'https://app.example.mx/', 'https://a.mx,', 'https://a.mx;https://b.mx'] },
  DOCS: { good: ['on', 'off'], bad: ['yes', 'OFF', '1'] },
  LOG_LEVEL: { good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], bad: ['loud', 'INFO', '30'] },
  DEFAULT_LANGUAGE: { good: ['en', 'es'], bad: ['fr', 'es-MX', 'ES'] },
  MAX_CONNECTIONS: { good: ['1', '1000000'], bad: ['0', '-1', 'all'] },
  CUSTOMER_CONNECTIONS_PERCENT: { good: ['1', '100'], bad: ['0', '101', '25%'] },
  WAITS_PER_USER: { good: ['1', '1000000'], bad: ['0', '-1', 'all'] },
  UNAUTHENTICATED_REQUESTS_PER_MINUTE: { good: ['1', '1000000'], bad: ['0', '1e10', 'off'] },
  RATE_LIMIT: { good: ['on', 'off'], bad: ['true', '0', 'OFF'] },
  API_REQUESTS_PER_MINUTE: { good: ['1', '1000000'], bad: ['0', '1e10', 'all'] },
  LOGIN_FAILURES_PER_ACCOUNT: { good: ['1', '1000000'], bad: ['0', '-1', '1.5', 'none'] },
  LOGIN_FAILURES_PER_ADDRESS: { good: ['1'], bad: ['0', 'few'] },
  LOGIN_ATTEMPTS_PER_ADDRESS: { good: ['1'], bad: ['0', 'x'] },
  LOGIN_WINDOW_SECONDS: { good: ['1'], bad: ['0', '1m'] },
  REDIS_URL: { good: ['redis://127.0.0.1:6379', 'rediss://u:p@cache.example.mx:6380/1'], bad: ['127.0.0.1:6379', 'http://cache'] },
  WEBHOOK_PORTS: { good: ['443', '443,8443', '1, 65535'], bad: ['0', '65536', '443,', '443-445', 'https', '-1', '0443'] },
  WEBHOOK_PROXY: {
    good: ['http://proxy:3128', 'http://u:p%40ss@10.0.0.1:3128', 'http://[fd00::1]:3128'],
    bad: ['proxy:3128', 'https://proxy:3128', 'http://proxy', 'http://proxy:3128/', 'http://proxy:70000', 'http://u:p@:3128', 'http://a b:3128', 'http://u%zz:p@proxy:3128', 'socks5://proxy:1080']
  }
}

for (const [name, { good, bad }] of Object.entries(values)) {
  t.test(`${name} accepts only valid values`, async (t) => {
    const needed = name === 'DATABASE_REPLICAS' ? { DATABASE_URL: 'postgres://h/d' } : {}
    for (const value of good) t.equal(String(loadConfig({ ...needed, [name]: value })[name as 'HOST']), value)
    for (const value of bad) t.throws(() => loadConfig({ [name]: value }), { message: new RegExp(`^configuration: ${name} `) }, value)
  })
}

t.test('the error of an invalid choice lists the choices', async (t) => {
  t.throws(() => loadConfig({ LOG_LEVEL: 'loud' }), { message: 'configuration: LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent' })
})

t.test('the error names every invalid variable, in one line', async (t) => {
  const bad = Object.fromEntries(Object.entries(values).map(([name, { bad }]) => [name, bad[0]]))
  try {
    loadConfig({ ...bad, NODE_ENV: 'production' })
    t.fail('no error was thrown')
  } catch (error) {
    const { message } = error as Error
    for (const name of [...Object.keys(bad), 'JWT_SECRET']) t.match(message, new RegExp(`\\b${name}\\b`))
    t.notMatch(message, '\n')
  }
})

const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://h/d' }

t.test('production requires a key of 32 bytes or more, other environments do not', async (t) => {
  t.throws(() => loadConfig(production), { message: 'configuration: JWT_SECRET is required in production' })
  t.throws(() => loadConfig({ ...production, JWT_SECRET: '' }), { message: /JWT_SECRET is required/ })
  t.throws(() => loadConfig({ ...production, JWT_SECRET: 'x'.repeat(31) }), { message: /JWT_SECRET must have 32 bytes or more/ })
  t.equal(loadConfig({ ...production, JWT_SECRET: secret }).JWT_SECRET, secret)
  t.equal(loadConfig({ ...production, JWT_SECRET: 'ñ'.repeat(16) }).JWT_SECRET, 'ñ'.repeat(16), 'bytes of UTF-8 count, not characters')
  t.equal(loadConfig({ JWT_SECRET: 'short' }).JWT_SECRET, 'short')
})

t.test('in production, servers and commands require the name of their database; a tool that opens none does not', async (t) => {
  const required = 'DATABASE_URL is required in production: set the URL of PostgreSQL, or `embedded` for the embedded database in DATA_DIR'
  const unnamed = { NODE_ENV: 'production', JWT_SECRET: secret }
  for (const purpose of ['server', 'command'] as const) {
    for (const url of [undefined, '']) t.throws(() => loadConfig({ ...unnamed, DATABASE_URL: url }, purpose), { message: `configuration: ${required}` })
    t.equal(loadConfig({ ...unnamed, DATABASE_URL: 'postgres://h/d' }, purpose).DATABASE_URL, 'postgres://h/d')
  }
  t.equal(loadConfig(unnamed, 'tool').DATABASE_URL, undefined)
  for (const NODE_ENV of ['production', 'test', 'development']) {
    for (const purpose of ['server', 'command', 'tool'] as const) t.equal(loadConfig({ ...unnamed, NODE_ENV, DATABASE_URL: 'embedded' }, purpose).DATABASE_URL, undefined)
  }
  t.equal(loadConfig({}).DATABASE_URL, undefined)
  t.throws(() => loadConfig({ DATABASE_URL: 'Embedded' }), { message: /^configuration: DATABASE_URL / })
  t.throws(() => loadConfig({ WORKERS: '2', DATABASE_URL: 'embedded' }), { message: /^configuration: WORKERS above 1 requires DATABASE_URL/ })
})

t.test('a server with several processes requires PostgreSQL, a command does not', async (t) => {
  const several = { WORKERS: '2' }
  t.throws(() => loadConfig(several), { message: 'configuration: WORKERS above 1 requires DATABASE_URL: only one process can open the embedded database' })
  t.match(loadConfig(several, 'command'), { WORKERS: 2 })
  t.match(loadConfig({ ...several, DATABASE_URL: 'postgres://h/d' }), { WORKERS: 2 })
})

t.test('in production, TRUST_PROXY must name the proxies or their number', async (t) => {
  const signing = { ...production, JWT_SECRET: secret }
  const refusal = 'TRUST_PROXY=true lets any client choose its address. In production, use the addresses or subnets of your proxies (such as 127.0.0.1 or 10.0.0.0/8) or their number (such as 1)'
  t.throws(() => loadConfig({ ...signing, TRUST_PROXY: 'true' }), { message: `configuration: ${refusal}` })
  t.throws(() => loadConfig({ ...production, TRUST_PROXY: 'true' }), { message: `configuration: JWT_SECRET is required in production; ${refusal}` })
  for (const TRUST_PROXY of ['false', '1', '127.0.0.1', '10.0.0.0/8,::1']) t.match(loadConfig({ ...signing, TRUST_PROXY }), { TRUST_PROXY })
  for (const [TRUST_PROXY, wide] of [
    ['0.0.0.0/1,128.0.0.0/1', '0.0.0.0/1, 128.0.0.0/1'], ['10.0.0.0/8, 64.0.0.0/7', '64.0.0.0/7'], ['::ffff:0:0/96', '::ffff:0:0/96'], ['::ffff:10.0.0.0/103', '::ffff:10.0.0.0/103'],
    ['0::ffff:0.0.0.0/97,1.1.1.1', '0::ffff:0.0.0.0/97'], ['2000::/3', '2000::/3'], ['::/1,8000::/1', '::/1, 8000::/1'], ['2001:db8::/31', '2001:db8::/31'], ['fc00::/6', 'fc00::/6']
  ] as const) {
    t.throws(() => loadConfig({ ...signing, TRUST_PROXY }), { message: new RegExp(`^configuration: TRUST_PROXY has subnets that contain addresses of clients \\(${wide}\\)`) }, TRUST_PROXY)
    t.match(loadConfig({ TRUST_PROXY }), { TRUST_PROXY }, 'outside production')
  }
  for (const TRUST_PROXY of ['10.0.0.0/8, 172.16.0.0/12', '::ffff:10.0.0.0/104', '::ffff:10.0.0.1', '2001:db8::/32', 'fd00::/8', 'fc00::/7', '::1']) t.match(loadConfig({ ...signing, TRUST_PROXY }), { TRUST_PROXY })
  t.match(loadConfig({ ...production, TRUST_PROXY: 'true' }, 'command'), { TRUST_PROXY: 'true' }, 'a command serves no clients')
  t.throws(() => loadConfig({ TRUST_PROXY: 'proxy.local' }), { message: 'configuration: TRUST_PROXY must be `false`, the number of proxies (1 to 9), or comma-separated addresses and subnets of proxies' })
})

t.test('TRUST_PROXY reaches Fastify as a boolean, addresses or a number of proxies', async (t) => {
  const trusted = (TRUST_PROXY: string) => trustProxy(loadConfig({ TRUST_PROXY }))
  t.strictSame(['true', 'false', '10.0.0.0/8, ::1'].map(trusted), [true, false, '10.0.0.0/8, ::1'])
  const isProxy = trusted('2')
  t.ok(typeof isProxy === 'function')
  if (typeof isProxy === 'function') t.strictSame([0, 1, 2, 3].map(distance => isProxy('203.0.113.7', distance)), [true, true, false, false])
})
