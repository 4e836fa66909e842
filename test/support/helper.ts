import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import pg from 'pg'
import { loadConfig, type Config } from '../../src/config.ts'
import { openDatabase, openDatabaseAt } from '../../src/server/open-database.ts'
import type { TokenPair } from '../../plugins/auth.ts'
import type { Proven } from '../../src/auth/log-in.ts'
import type { Database } from '../../src/database/database.ts'
import { parsers } from '../../src/database/connection/postgres-sql.ts'
import type { Row } from '../../src/database/connection/sql.ts'
import { demoPassword } from '../../src/domain/demo/data.ts'
import { buildServer } from '../../src/server/fastify.ts'
import { holdToDocument } from './openapi/traffic.ts'
import { patientCheck } from './patient-check.ts'
import { databaseUrl, dropCopy, lendEmbedded, server, serverCopy } from './template.ts'
import { superuserOptions } from './trial/superuser.ts'

/** A signing key for tests. */
export const secret = 'a secret of the tests, 32 bytes or more'

/** A fresh database with the demo data, for one test. */
export interface TestDatabase {
  database: Database
  /** Variables with which a server or a command uses it; without DATABASE_URL for the embedded database. */
  env: Record<string, string>
  /** Runs a statement as the superuser, who bypasses every wall. */
  psql: <R extends object = Row>(text: string, values?: unknown[]) => Promise<R[]>
}

/** Opens a fresh database, closed and dropped when the test ends. */
export async function openTestDatabase (t: Test): Promise<TestDatabase> {
  return server === undefined ? await openEmbeddedCopy(t) : await openServerCopy(t)
}

async function openEmbeddedCopy (t: Test): Promise<TestDatabase> {
  const pglite = await lendEmbedded(t, 'demo')
  const database = await openDatabaseAt(pglite, 1)
  const pool = await database.orm.em.getConnection().getNativeClient()
  t.teardown(async () => await database.close())
  return {
    database,
    env: {},
    async psql<R extends object> (text: string, values: unknown[] = []) {
      const client = await pool.connect()
      // Pipelined: one round trip.
      const [, answer] = await Promise.allSettled([client.query('set role none'), client.query<R>(text, values), client.query("set role = 'obra_app'")])
      client.release()
      if (answer.status === 'rejected') throw answer.reason
      return answer.value.rows
    }
  }
}

async function openServerCopy (t: Test): Promise<TestDatabase> {
  const copy = await serverCopy()
  const env = { DATABASE_URL: databaseUrl(copy) }
  const database = await openDatabase(loadConfig(env), 'refuse', patientCheck())
  const client = new pg.Client({ connectionString: env.DATABASE_URL, options: superuserOptions })
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
  await client.connect()
  t.teardown(async () => {
    await database.close()
    await client.end()
    await dropCopy(copy)
  })
  return { database, env, psql: async (text, values) => (await client.query(text, values)).rows }
}

/** Opens the test's database again, with its own connections, like another process. The embedded database has one session, which is shared. */
export async function openAgain ({ database, env }: TestDatabase): Promise<Database> {
  return server === undefined ? { ...database, close: async () => {} } : await openDatabase(loadConfig(env), 'refuse', patientCheck())
}

/** A logged-in user. */
export interface Client {
  access: string
  refresh: string
  /** Sends a request with the access token; `url` is relative to `/api/v1/`. */
  send: (method: InjectOptions['method'], url: string, payload?: unknown, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  get: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  post: (url: string, payload?: unknown, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
}

/** A server on a fresh database. */
export interface TestServer extends TestDatabase {
  app: FastifyInstance
  /** Logs in over HTTP if there is a password; otherwise opens a session without hashing one. */
  as: (email: string, password?: string) => Promise<Client>
}

/** Builds a server for `inject` on a fresh database with the demo data; both close with the test. */
export async function build (t: Test, overrides: Partial<Config> = {}): Promise<TestServer> {
  const fresh = await openTestDatabase(t)
  const app = await buildOn(t, fresh.database, overrides)
  return { ...fresh, app, as: async (email, password) => password === undefined ? await openSession({ ...fresh, app }, email) : await logIn(app, email, password) }
}

/** Builds a server on a database that is already open. */
export async function buildOn (t: Test, database: Database, overrides: Partial<Config> = {}): Promise<FastifyInstance> {
  const config = { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret, ...overrides }
  const app = await buildServer({ config, database })
  holdToDocument(t, app)
  t.teardown(async () => await app.close())
  return app
}

/** Logs in over HTTP. */
export async function logIn (app: FastifyInstance, email: string, password = demoPassword): Promise<Client> {
  const response = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email, password } })
  if (response.statusCode !== 200) throw new Error(`${email} cannot log in: ${response.body}`)
  return clientOf(app, response.json())
}

/** Opens a session as a log-in does after verifying the password. */
async function openSession ({ app, psql }: Pick<TestServer, 'app' | 'psql'>, email: string): Promise<Client> {
  const [user] = await psql('select id as "user", password from users where email = $1', [email])
  const tokens = user === undefined ? undefined : await app.tokens.open(user as Proven)
  if (tokens === undefined) throw new Error(`${email} cannot log in`)
  return clientOf(app, tokens)
}

function clientOf (app: FastifyInstance, { access, refresh }: TokenPair): Client {
  const send: Client['send'] = async (method, url, payload, headers = {}) => await app.inject({
    method,
    url: `/api/v1/${url}`,
    payload: payload as InjectOptions['payload'],
    headers: { authorization: `Bearer ${access}`, ...headers }
  })
  return {
    access,
    refresh,
    send,
    get: async (url, headers) => await send('GET', url, undefined, headers),
    post: async (url, payload, headers) => await send('POST', url, payload, headers)
  }
}
