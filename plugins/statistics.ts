import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { commits } from '../src/database/connection/channels.ts'
import { analyzeGrown } from '../src/database/connection/statistics.ts'
import { runInBackground } from '../src/jobs/in-background.ts'

/** Pause in ms after a look at the tables, and the longest pause while this process writes nothing. */
const pause = 200
const minute = 60_000

/**
 * Analyzes tables at the start, and soon after the writes with which they have grown. The embedded database never does it itself, and
 * PostgreSQL only once per minute. Writes of other processes are found within a minute.
 */
export default fp(async function statistics (app: FastifyInstance) {
  const { sql, kind } = app.database
  // The embedded database has one connection, so every request waits for the analysis of a table: 3,000 rows of it take about 50 ms.
  const target = kind === 'embedded' ? 10 : 100
  let isWritten = true
  let lastLook = -Infinity
  const onCommit = () => { isWritten = true }
  commits.subscribe(onCommit)
  app.addHook('onClose', async () => { commits.unsubscribe(onCommit) })

  runInBackground(app, 0, async (signal) => {
    if (!isWritten && performance.now() - lastLook < minute) return pause
    isWritten = false
    lastLook = performance.now()
    try {
      const { analyzed, cancelled } = await analyzeGrown(sql, target, signal)
      if (analyzed > 0) app.log.debug({ analyzed, ms: Math.round(performance.now() - lastLook) }, 'analyzed tables that have grown')
      if (cancelled.length === 0) return pause
      app.log.warn({ tables: cancelled }, 'analysis of tables cancelled, next attempt in a minute')
      return minute
    } catch (error) {
      app.log.warn({ err: error }, 'tables not analyzed, next attempt in a minute')
      return minute
    }
  })
}, { name: 'statistics', dependencies: ['database'] })
