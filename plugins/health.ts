import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from '../src/database/database.ts'
import { migrations } from '../src/database/migrations/index.ts'
import { timely } from '../src/server/timely.ts'

/** What a check has come to: `failed` where it cannot be known, too. */
export type Check = 'ok' | 'failed'

/** Whether this process can answer requests, and what speaks against it. */
export interface Readiness {
  /** The database answers in time, and its new connections act as the service. */
  database: Check
  /** Every migration that this code knows has run. */
  migrations: Check
  /** The process is not about to end. */
  serving: Check
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether this process can answer requests. Asks the database once a second at most, however often it is called. */
    readiness: () => Promise<Readiness>
  }
}

const remembered = 1000
const timeout = 2000

/** Health: what `health/ready/` answers with. */
export default fp(async function health (app: FastifyInstance) {
  let draining = false
  let asked = -Infinity
  let answer: ReturnType<typeof askDatabase>
  app.addHook('preClose', async () => { draining = true })

  const ask = timely<Omit<Readiness, 'serving'>>(async () => await askDatabase(app.database), { database: 'failed', migrations: 'failed' }, timeout)
  app.decorate('readiness', async () => {
    if (performance.now() - asked >= remembered) {
      asked = performance.now()
      answer = ask()
    }
    return { ...await answer, serving: draining ? 'failed' : 'ok' } satisfies Readiness
  })
}, { name: 'health', dependencies: ['database'] })

async function askDatabase ({ sql, check }: Database): Promise<Omit<Readiness, 'serving'>> {
  try {
    const rows = await sql.query({ name: 'migrations', text: 'select name from mikro_orm_migrations', values: [] })
    const run = new Set(rows.map(row => row['name']))
    return { database: check?.isRefusing === true ? 'failed' : 'ok', migrations: migrations.every(({ name }) => run.has(name)) ? 'ok' : 'failed' }
  } catch {
    return { database: 'failed', migrations: 'failed' }
  }
}
