import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { commits } from '../src/database/channels.ts'
import type { Revision } from '../src/http/representation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Notifies once: with true when the company's revision differs from the given one, or with false at the start of a shutdown.
     * @returns a function that ends the watch
     */
    watch: (company: number, known: Revision, notify: (goesOn: boolean) => void) => () => void
  }
}

interface Watcher {
  known: Revision
  notify: (goesOn: boolean) => void
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

  function end (company: number, watcher: Watcher): void {
    const own = watchers.get(company)
    if (own?.delete(watcher) === true && own.size === 0) watchers.delete(company)
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
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
    commits.unsubscribe(onCommit)
  }

  async function readOnce (): Promise<void> {
    try {
      const rows = await app.database.sql.query({ name: 'watched revisions', text: 'select company_id as company, revision, stamp from company_revisions where company_id = any ($1::int[])', values: [[...watchers.keys()]] })
      for (const { company, revision, stamp } of rows) {
        for (const watcher of watchers.get(company) ?? []) {
          if (watcher.known.revision === revision && watcher.known.stamp === stamp) continue
          end(company, watcher)
          watcher.notify(true)
        }
      }
    } catch (error) {
      // The watchers wait for the next read. Their requests and streams have their own limits.
      app.log.debug({ err: error }, 'reading revisions failed')
    }
  }

  const onCommit = (companies: readonly number[]) => {
    if (companies.some(company => watchers.has(company))) read()
  }

  app.decorate('watch', (company, known, notify) => {
    const watcher = { known, notify }
    if (isClosing) {
      setImmediate(notify, false)
      return () => {}
    }
    let own = watchers.get(company)
    if (own === undefined) watchers.set(company, own = new Set())
    own.add(watcher)
    if (timer === undefined) {
      timer = setInterval(read, interval)
      commits.subscribe(onCommit)
    }
    return () => end(company, watcher)
  })

  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(timer)
    commits.unsubscribe(onCommit)
    const waiting = [...watchers.values()].flatMap(own => [...own])
    watchers.clear()
    for (const { notify } of waiting) notify(false)
  })
}, { name: 'watch', dependencies: ['database'] })
