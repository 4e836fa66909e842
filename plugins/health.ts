import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from '../src/database/database.ts'
import { migrations } from '../src/database/migrations/index.ts'
import { timely } from '../src/server/timely.ts'

/** Result of a check. A check that cannot run is `failed`. */
type Check = 'ok' | 'failed'

/** Whether this process can answer requests, with the result of each check. */
interface Readiness {
  /** The database answers in time and accepts new connections as `obra_app` (see `ConnectionCheck`). */
  database: Check
  /** All migrations of this release have run. */
  migrations: Check
  /** The process is not shutting down. */
  serving: Check
}

/** The checks that query the database. */
type DatabaseChecks = Omit<Readiness, 'serving'>

const bothFailed: DatabaseChecks = { database: 'failed', migrations: 'failed' }

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether this process can answer requests. Queries the database at most once a second. */
    readiness: () => Promise<Readiness>
  }
}

/** Lifetime of a cached result in ms. */
const cacheTime = 1000
/** Timeout of the query in ms. */
const timeout = 2000

/** Provides `app.readiness`, which `health/ready/` answers with. */
export default fp(async function health (app: FastifyInstance) {
  let draining = false
  let queriedAt = -Infinity
  let answer: ReturnType<typeof checkDatabase>
  app.addHook('preClose', async () => { draining = true })

  const check = timely(async () => await checkDatabase(app.database), bothFailed, timeout)
  app.decorate('readiness', async () => {
    if (performance.now() - queriedAt >= cacheTime) {
      queriedAt = performance.now()
      answer = check()
    }
    return { ...await answer, serving: draining ? 'failed' : 'ok' } satisfies Readiness
  })
}, { name: 'health', dependencies: ['database'] })

async function checkDatabase ({ sql, check }: Database): Promise<DatabaseChecks> {
  try {
    const rows = await sql.query({ name: 'migrations', text: 'select name from mikro_orm_migrations', values: [] })
    const run = new Set(rows.map(row => row['name']))
    return {
      database: check?.isRefusing === true ? 'failed' : 'ok',
      migrations: migrations.every(({ name }) => run.has(name)) ? 'ok' : 'failed'
    }
  } catch {
    return bothFailed
  }
}
