import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { commits } from '../src/database/channels.ts'
import { isSameRevision, type Revision } from '../src/http/representation.ts'

/** Why a watch ended: the revision differs, a shutdown has begun, or the signal was aborted. */
export type WatchOutcome = 'changed' | 'closing' | 'aborted'

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves when the company's revision differs from `known`, at the start of a shutdown, or when `signal` is aborted. */
    watch: (company: number, known: Revision, signal: AbortSignal) => Promise<WatchOutcome>
  }
}

interface Watcher {
  known: Revision
  /** The number of reads that had begun at its start. They can have seen an earlier revision than `known`. */
  after: number
  end: (outcome: WatchOutcome) => void
}

/** Interval in ms of reads that notice the writes of other processes. */
const interval = 200

/**
 * Notices new revisions of companies with watchers: those of this process at the commit, those of others by reading all revisions in one
 * statement. NOTIFY would make all commits of the database wait for each other.
 */
export default fp(async function watch (app: FastifyInstance) {
  const watchers = new Map<number, Set<Watcher>>()
  let timer: NodeJS.Timeout | undefined
  let isReading = false
  let isStale = false
  let isClosing = false
  let reads = 0

  function add (company: number, watcher: Watcher): void {
    const own = watchers.get(company) ?? new Set()
    watchers.set(company, own.add(watcher))
    if (timer !== undefined) return
    timer = setInterval(read, interval)
    commits.subscribe(onCommit)
  }

  function remove (company: number, watcher: Watcher): void {
    const own = watchers.get(company)
    if (own?.delete(watcher) === true && own.size === 0) watchers.delete(company)
  }

  function stop (): void {
    clearInterval(timer)
    timer = undefined
    commits.unsubscribe(onCommit)
  }

  /** Reads the revisions of all watched companies. Calls during a read lead to one more read after it. */
  async function read (): Promise<void> {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale && watchers.size > 0) {
      isStale = false
      await readOnce()
    }
    isReading = false
    if (watchers.size === 0) stop()
  }

  async function readOnce (): Promise<void> {
    const number = ++reads
    try {
      const rows = await app.database.sql.query({ name: 'watched revisions', text: 'select company_id as company, revision, stamp from company_revisions where company_id = any ($1::int[])', values: [[...watchers.keys()]] })
      for (const row of rows) {
        for (const { known, after, end } of watchers.get(row['company']) ?? []) if (after < number && !isSameRevision(known, row as Revision & typeof row)) end('changed')
      }
    } catch (error) {
      // The watchers wait for the next read. Their requests and streams have their own limits.
      app.log.debug({ err: error }, 'reading revisions failed')
    }
  }

  const onCommit = (companies: readonly number[]) => {
    if (companies.some(company => watchers.has(company))) read()
  }

  app.decorate('watch', async (company, known, signal) => {
    if (isClosing) return 'closing'
    if (signal.aborted) return 'aborted'
    return await new Promise((resolve) => {
      const abort = () => watcher.end('aborted')
      const watcher: Watcher = {
        known,
        after: reads,
        end (outcome) {
          signal.removeEventListener('abort', abort)
          remove(company, watcher)
          resolve(outcome)
        }
      }
      signal.addEventListener('abort', abort)
      add(company, watcher)
    })
  })

  app.addHook('preClose', async () => {
    isClosing = true
    for (const own of watchers.values()) for (const { end } of own) end('closing')
    stop()
  })
}, { name: 'watch', dependencies: ['database'] })
