import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { runInBackground } from '../src/jobs/in-background.ts'

const minute = 60_000
const hour = 60 * minute

/** Pauses in ms: between two batches, and after a pass over all companies that indexed nothing. */
const pause = 50
const idlePause = 5000

interface Batch {
  /** The company of the batch. Null at the end of a pass. */
  after: number | null
  /** Null while another process indexes. */
  indexed: boolean | null
  problem: string | null
}

/**
 * Adds changed records to the search index, a batch at a time (decision 8). Until then, searches find them through the change log, in less
 * than a millisecond for 100 changes. A pass over the companies takes one batch of each company with more changes than half a batch. Once
 * per hour, after a pass without changes to index, a complete pass also takes those with fewer. So texts of deleted records disappear.
 */
export default fp(async function searchIndex (app: FastifyInstance) {
  const { sql, kind } = app.database
  // The embedded database has one connection, so every request waits for the current batch.
  const batchSize = kind === 'embedded' ? 20 : 200
  const indexChanges = { name: 'index changes', text: 'select * from search.index_changes($1, $2, $3)' }
  let after = 0
  let isIdle = true
  let isComplete = false
  let lastComplete = -Infinity

  runInBackground(app, 500 + Math.random() * 2000, async () => {
    try {
      const fewest = isComplete ? 0 : batchSize / 2
      const [batch] = await sql.query<Batch>({ ...indexChanges, values: [after, fewest, batchSize] })
      if (batch.indexed === null) return idlePause
      if (batch.problem !== null) app.log.warn({ company: batch.after, problem: batch.problem }, 'changes not added to the search index')
      if (batch.indexed) isIdle = false
      after = batch.after ?? 0
      if (batch.after !== null) return pause
    } catch (error) {
      app.log.warn({ err: error }, 'search index not updated, next attempt in a minute')
      return minute
    }

    const wasIdle = isIdle
    if (isComplete) lastComplete = performance.now()
    isIdle = true
    // Only after an idle pass: then one batch of each company is enough.
    isComplete = wasIdle && performance.now() - lastComplete > hour
    return wasIdle && !isComplete ? idlePause : pause
  })
}, { name: 'search-index', dependencies: ['database'] })
