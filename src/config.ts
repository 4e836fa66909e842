import type { Static } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import { formats } from './config/formats.ts'
import { configSchema } from './config/variables.ts'
import { isHops, tooWideSubnets } from './config/trusted-proxies.ts'

/** The configuration of the process, by variable names. */
export type Config = Static<typeof configSchema>

const isConfig = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, removeAdditional: true, formats })
  .compile<Config>({ ...configSchema, additionalProperties: false })

/** What a process uses: a server signs tokens, a command only opens the database, a tool not even that. */
type ConfigPurpose = 'server' | 'command' | 'tool'

/** The value of DATABASE_URL that names the embedded database. A loaded configuration has no DATABASE_URL then. */
const embedded = 'embedded'

/**
 * Reads and checks the configuration.
 * @param env the environment. Empty variables count as unset.
 * @param purpose decides which variables production requires
 * @throws {Error} one line that lists every invalid variable
 */
export function loadConfig (env: Record<string, unknown> = process.env, purpose: ConfigPurpose = 'server'): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '' && value !== undefined))
  const faults = purpose === 'tool' ? [] : unnamedDatabase(given)
  if (given['DATABASE_URL'] === embedded) delete given['DATABASE_URL']
  if (purpose === 'server') faults.push(...unsafeInProduction(given), ...needsPostgres(given))
  const isValid = isConfig(given)
  if (!isValid) faults.unshift(...(isConfig.errors ?? []).map(describeFault))
  if (isValid && faults.length === 0) return given
  throw new Error(`configuration: ${faults.join('; ')}`)
}

/** In production a lost DATABASE_URL must not lead to an empty or forgotten embedded database. */
function unnamedDatabase ({ NODE_ENV: mode, DATABASE_URL: url }: Record<string, unknown>): string[] {
  if (mode !== 'production' || url !== undefined) return []
  return ['DATABASE_URL is required in production: set the URL of PostgreSQL, or `embedded` for the embedded database in DATA_DIR']
}

function unsafeInProduction (given: Record<string, unknown>): string[] {
  if (given['NODE_ENV'] !== 'production') return []
  const trusting = unsafeTrust(String(given['TRUST_PROXY']))
  if (given['JWT_SECRET'] === undefined) return ['JWT_SECRET is required in production', ...trusting]
  // A guessed previous key also allows forged tokens.
  const short = ['JWT_SECRET', 'JWT_SECRET_PREVIOUS', 'WEBHOOK_KEY', 'WEBHOOK_KEY_PREVIOUS']
    .filter(name => given[name] !== undefined && Buffer.byteLength(String(given[name])) < 32)
    .map(name => `${name} must have 32 bytes or more in production`)
  return [...short, ...trusting]
}

function unsafeTrust (value: string): string[] {
  const instead = 'In production, use the addresses or subnets of your proxies (such as 127.0.0.1 or 10.0.0.0/8) ' +
    'or their number (such as 1)'
  if (value === 'true') return [`TRUST_PROXY=true lets any client choose its address. ${instead}`]
  const wide = tooWideSubnets(value)
  if (wide.length === 0) return []
  const fact = `TRUST_PROXY has subnets that contain addresses of clients (${wide.join(', ')}), who could choose their address`
  return [`${fact}. ${instead}`]
}

function needsPostgres ({ WORKERS: workers, DATABASE_REPLICAS: replicas, DATABASE_URL: url }: Record<string, unknown>): string[] {
  if (url !== undefined) return []
  return [
    ...Number(workers) > 1 ? ['WORKERS above 1 requires DATABASE_URL: only one process can open the embedded database'] : [],
    ...replicas === undefined ? [] : ['DATABASE_REPLICAS requires DATABASE_URL']
  ]
}

function describeFault ({ instancePath, keyword, params, message }: ErrorObject): string {
  const name = instancePath.slice(1)
  if (params['format'] === 'addresses') {
    return `${name} must be \`false\`, the number of proxies (1 to 9), or comma-separated addresses and subnets of proxies`
  }
  if (params['format'] === 'bucket') {
    return `${name} must be \`s3://bucket/prefix?region=…&endpoint=https://…\`, and credentials are variables of their own, ` +
      'such as AWS_ACCESS_KEY_ID'
  }
  return `${name} ${keyword === 'enum' ? `must be one of ${params['allowedValues'].join(', ')}` : message}`
}

/**
 * `TRUST_PROXY` as Fastify's option: a boolean, a list of addresses or, for a number of proxies, whether the address at a distance is one.
 */
export function trustProxy (config: Config): boolean | string | ((address: string, distance: number) => boolean) {
  const value = config.TRUST_PROXY
  if (isHops(value)) return (_address, distance) => distance < Number(value)
  return value === 'true' || value === 'false' ? value === 'true' : value
}
