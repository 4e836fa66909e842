import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { runInBackground } from '../src/jobs/in-background.ts'
import { AlreadyPurging } from '../src/jobs/purging/batches.ts'
import { Purge } from '../src/jobs/purging/purge.ts'

const minute = 60_000
const hour = 60 * minute

/** Pause between batches in ms, which leaves the database to requests. A batch delays a request by about 50 ms at most. */
const pause = 100

/** Purges expired rows soon after the start and then every hour, or 5 minutes after a failure. Shutdown waits for one batch at most. */
export default fp(async function purging (app: FastifyInstance) {
  const { sql, kind } = app.database
  // The embedded database has one connection, so every request waits for the current batch.
  const purge = new Purge(sql, kind === 'embedded' ? 50 : 500)

  // Spreads the first runs of processes that start together.
  runInBackground(app, 500 + Math.random() * 2000, async (signal) => {
    const started = performance.now()
    try {
      const removed = await purge.run({ pause, waitForLock: false, signal })
      if (Object.values(removed).some(rows => rows > 0)) {
        app.log.info({ removed, ms: Math.round(performance.now() - started) }, 'purged expired rows')
      }
      return hour
    } catch (error) {
      if (signal.aborted || error instanceof AlreadyPurging) return hour
      app.log.warn({ err: error }, 'purge failed, next attempt in 5 minutes')
      return 5 * minute
    }
  })
}, { name: 'purging', dependencies: ['database'] })
