import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { commits } from '../src/database/channels.ts'
import { analyzeGrown } from '../src/database/statistics.ts'
import { runInBackground } from '../src/server/in-background.ts'

const second = 1000
const minute = 60 * second

/**
 * Analyzes tables at the start, and within a second of the writes with which they have grown. The embedded database never does it itself, and
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

  runInBackground(app, 0, async () => {
    if (!isWritten && performance.now() - lastLook < minute) return second
    isWritten = false
    lastLook = performance.now()
    try {
      const analyzed = await analyzeGrown(sql, target)
      if (analyzed > 0) app.log.debug({ analyzed, ms: Math.round(performance.now() - lastLook) }, 'analyzed tables that have grown')
      return second
    } catch (error) {
      app.log.warn({ err: error }, 'tables not analyzed, next attempt in a minute')
      return minute
    }
  })
}, { name: 'statistics', dependencies: ['database'] })
