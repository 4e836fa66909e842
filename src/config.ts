import { isIP } from 'node:net'
import { Type, type Static } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'

/** Every environment variable that the process reads: its type, its default and what it is for. */
export const configSchema = Type.Object({
  NODE_ENV: Type.Unsafe<'development' | 'test' | 'production'>({ type: 'string', enum: ['development', 'test', 'production'], default: 'development', description: '`production` invents nothing: no demo data, no signing key, no migrations at start' }),
  HOST: Type.String({ default: '127.0.0.1', description: 'address to listen on' }),
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65535, description: 'port to listen on; 0 takes a free one' }),
  MAX_CONNECTIONS: Type.Integer({ default: 20_000, minimum: 1, maximum: 1_000_000, description: 'connections of clients at most, of each process; one more is closed at once. Limit connections per address in the reverse proxy' }),
  WORKERS: Type.Integer({ default: 1, minimum: 1, maximum: 256, description: 'processes that serve, sharing the port; more than one needs `DATABASE_URL`' }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://[^/?#]*/[^/?#]+(\\?(host|ssl(mode|rootcert|cert|key))=[^&#]*(&(host|ssl(mode|rootcert|cert|key))=[^&#]*)*)?$', description: 'PostgreSQL 15 or newer, as `postgres://user:password@host:5432/database`, with `?sslmode=…` for TLS or `?host=…` for the folder of a socket; without it the embedded database in `DATA_DIR` is used' })),
  DATABASE_POOL: Type.Integer({ default: 10, minimum: 4, maximum: 1000, description: 'connections to PostgreSQL at most, of each process; from 7 on, slow requests of one company leave connections to others' }),
  DATABASE_WAIT_SECONDS: Type.Integer({ default: 30, minimum: 0, maximum: 3600, description: 'how long the server waits, when it starts, for a PostgreSQL that cannot be reached yet' }),
  PAGE_CACHE_MB: Type.Integer({ default: 12, minimum: 0, maximum: 1_000_000, description: 'memory of each process for answers to reads, given again for as long as their company has not changed; 0 asks the database each time' }),
  DATA_DIR: Type.String({ default: './data', minLength: 1, description: 'folder of the embedded database and of the signing key made outside production' }),
  JWT_SECRET: Type.Optional(Type.String({ description: 'key that signs tokens (its UTF-8 bytes, HS256); required in production, 32 bytes or more' })),
  JWT_SECRET_PREVIOUS: Type.Optional(Type.String({ description: 'the key used before, still accepted, so that keys change with nobody logged out' })),
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+$', description: 'scheme and host of the URLs that answers carry, such as `https://api.example.mx`; by default those of the request' })),
  TRUST_PROXY: Type.String({ default: 'false', format: 'addresses', description: '`true`, or addresses and subnets, comma-separated, whose `X-Forwarded-*` headers are believed' }),
  CORS_ORIGINS: Type.Optional(Type.String({ pattern: '^https?://[^/?#,*\\s]+(, *https?://[^/?#,*\\s]+)*$', description: 'origins, comma-separated, whose pages may call the API from a browser, such as `https://app.example.mx`; without it none but its own' })),
  DOCS: Type.Unsafe<'on' | 'off'>({ type: 'string', enum: ['on', 'off'], default: 'on', description: '`off` serves neither the reference page `/docs/` nor `/openapi.json`' }),
  LOG_LEVEL: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({ type: 'string', enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info', description: 'least severe level that is logged, or `silent`' }),
  LOG_REQUESTS: Type.Unsafe<'on' | 'errors' | 'off'>({ type: 'string', enum: ['on', 'errors', 'off'], default: 'on', description: 'a line in the log, of level `info`, for each request; `errors`: for those answered with 400 or above' }),
  METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535, description: 'port of `/metrics`, for Prometheus; without it nothing is measured; 0 takes a free one' })),
  METRICS_HOST: Type.String({ default: '127.0.0.1', description: 'address that the metrics listen on; they ask for no token' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://', description: 'collector that traces are sent to, by OTLP over HTTP; `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and what else OpenTelemetry names are then read by its exporter' })),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://', description: 'as above, whole, with its path' })),
  OTEL_TRACES_EXPORTER: Type.Optional(Type.String({ description: '`otlp` sends traces to the collector on this machine where no other is named; any other value sends none' })),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ default: 1, minimum: 0, maximum: 1, description: 'share of the traces that begin here which are recorded; those of callers are as the caller decided' }),
  OTEL_SDK_DISABLED: Type.String({ default: 'false', description: '`true` sends no traces, whatever else is set' }),
  DEFAULT_LANGUAGE: Type.Unsafe<'en' | 'es'>({ type: 'string', enum: ['en', 'es'], default: 'en', description: 'language of messages when `Accept-Language` names neither `en` nor `es`' }),
  RATE_LIMIT: Type.Unsafe<'on' | 'off'>({ type: 'string', enum: ['on', 'off'], default: 'on', description: '`off` disables the limits on requests, and on log-ins per address, for benchmarks. The limit on failed log-ins per account stays' }),
  API_REQUESTS_PER_MINUTE: Type.Integer({ default: 6000, minimum: 1, maximum: 1_000_000_000, description: 'requests of one user in a minute before 429' }),
  UNAUTHENTICATED_REQUESTS_PER_MINUTE: Type.Integer({ default: 3000, minimum: 1, maximum: 1_000_000_000, description: 'requests without a live session (log-ins, refreshes after expiry, bad, expired and revoked tokens, the documentation) from one address, of IPv6 one /64 network, in a minute before 429; an office behind one address shares them' }),
  LOGIN_FAILURES_PER_ACCOUNT: Type.Integer({ default: 10, minimum: 1, description: 'failed log-ins to one account from one address before each makes the next wait, twice as long each time; after ten times as many from everywhere, those wait who have not lately logged in to it from where they are' }),
  LOGIN_FAILURES_PER_ADDRESS: Type.Integer({ default: 100, minimum: 1, description: 'failed log-ins from one address, to whatever accounts, before those wait who have not lately logged in from there' }),
  LOGIN_ATTEMPTS_PER_ADDRESS: Type.Integer({ default: 300, minimum: 1, description: 'log-ins from one address within the window before 429' }),
  LOGIN_WINDOW_SECONDS: Type.Integer({ default: 60, minimum: 1, description: 'length of that window, and of the first wait' }),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://', description: 'Redis in which several processes count these limits together, as `redis://user:password@host:6379/0`; without it, and while it is away, each counts its own' }))
})

/** The configuration of the process, by the names of its variables. */
export type Config = Static<typeof configSchema>

/**
 * Reads the configuration.
 * @param env the environment; an empty variable counts as one that is not set
 * @param purpose a command signs nothing, so it may do without the key that a server must have in production
 * @throws {Error} naming every variable that is wrong, in one line
 */
export function loadConfig (env: Record<string, unknown> = process.env, purpose: 'server' | 'command' = 'server'): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '' && value !== undefined))
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, removeAdditional: true, formats: { addresses: isTrust } })
  const faults = purpose === 'server' ? [...unsafeInProduction(given), ...sharedEmbedded(given)] : []
  if (!ajv.validate({ ...configSchema, additionalProperties: false }, given)) faults.unshift(...(ajv.errors ?? []).map(describeFault))
  if (faults.length === 0) return given as Config
  throw new Error(`configuration: ${faults.join('; ')}`)
}

function unsafeInProduction (given: Record<string, unknown>): string[] {
  if (given['NODE_ENV'] !== 'production') return []
  if (given['JWT_SECRET'] === undefined) return ['JWT_SECRET is required in production']
  // Whoever guesses the previous key forges tokens just as well.
  return ['JWT_SECRET', 'JWT_SECRET_PREVIOUS']
    .filter(name => given[name] !== undefined && Buffer.byteLength(String(given[name])) < 32)
    .map(name => `${name} must have 32 bytes or more in production`)
}

function sharedEmbedded ({ WORKERS: workers, DATABASE_URL: url }: Record<string, unknown>): string[] {
  return Number(workers) > 1 && url === undefined ? ['WORKERS above 1 needs DATABASE_URL, for one process alone may open the embedded database'] : []
}

function describeFault ({ instancePath, keyword, params, message }: ErrorObject): string {
  return `${instancePath.slice(1)} ${keyword === 'enum' ? `must be one of ${params['allowedValues'].join(', ')}` : message}`
}

/** Whether a text is `true`, `false`, or addresses and subnets, comma-separated. */
function isTrust (text: string): boolean {
  return text === 'true' || text === 'false' || text.split(',').every((part) => {
    const [address = '', bits = '1', ...rest] = part.trim().split('/')
    const version = isIP(address)
    return version > 0 && rest.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  })
}

/** `TRUST_PROXY` in the form that Fastify takes: boolean, or a list of addresses. */
export function trustProxy (config: Config): boolean | string {
  const value = config.TRUST_PROXY
  return value === 'true' || value === 'false' ? value === 'true' : value
}
