import type { Test } from 'tap'
import { build, secret, type TestServer } from './helper.ts'
import { root, startServer } from './process.ts'
import { server } from './template.ts'

/** Servers that listen and use one database: two processes on PostgreSQL, and one on the embedded database, which only one can open. */
export interface ListeningServers extends TestServer {
  /** Scheme, host and port of each. */
  origins: string[]
}

/** Starts servers on a fresh database with the demo data. */
export async function twoServers (t: Test): Promise<ListeningServers> {
  const first = await build(t, { RATE_LIMIT: 'off' })
  const origin = await first.app.listen({ host: '127.0.0.1', port: 0 })
  if (server === undefined) return { ...first, origins: [origin] }
  const second = await startServer(t, { dir: root, dataDir: '', env: first.env }, { JWT_SECRET: secret, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' })
  return { ...first, origins: [origin, second.origin] }
}
