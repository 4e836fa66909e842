import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import obra from '../../src/app.ts'
import { loadConfig, type Config } from '../../src/config.ts'
import { holdToDocument } from './openapi/traffic.ts'
import { logIn, openTestDatabase, secret, type TestServer } from './helper.ts'

/** Builds a server like `build`, with additional routes of the test. */
export async function buildWith (t: Test, routes: (app: FastifyInstance) => void, overrides: Partial<Config> = {}): Promise<TestServer> {
  const fresh = await openTestDatabase(t)
  const app = Fastify()
  const hidden: string[] = []
  await app.register(obra, { config: { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret, ...overrides }, database: fresh.database })
  app.addHook('onRoute', ({ url, schema }) => { if (schema?.hide === true) hidden.push(url) })
  routes(app)
  await app.ready()
  holdToDocument(t, app, hidden)
  t.teardown(async () => await app.close())
  return { ...fresh, app, as: async (email, password) => await logIn(app, email, password) }
}
