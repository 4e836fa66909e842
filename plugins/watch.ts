import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import { commits } from '../src/database/connection/channels.ts'
import { isSameRevision, type Revision } from '../src/http/representation.ts'

/** Why a watch ended: the revision differs, a shutdown has begun, the time is over, or the client has disconnected. */
type WatchOutcome = 'changed' | 'closing' | 'over' | 'disconnected'

/** The response to the client of a watch. */
type Response = Pick<ServerResponse, 'destroyed'>

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Resolves when the company's revision differs from `known`, at the start of a shutdown, after `seconds`, or when the client has
     * disconnected. The last two are noticed within {@link interval} ms.
     */
    watch: (company: number, known: Revision, seconds: number, response: Response) => Promise<WatchOutcome>
  }
}

interface Watcher {
  known: Revision
  /** The number of reads that had begun at its start. They can have seen an earlier revision than `known`. */
  after: number
  /** By `performance.now()`. */
  deadline: number
  response: Response
  resolve: (outcome: WatchOutcome) => void
}

/** Interval in ms of reads that notice the writes of other processes. */
const interval = 200

/**
 * Watches that end together. Their requests authorize again and answer before the next slice, so that other requests wait for one slice
 * only.
 */
export const slice = limits.slices.waits

/** Part of the time in which slices may end. The rest is for other requests. */
const busyPart = 0.5

const watchedRevisions = {
  name: 'watched revisions',
  text: 'select company_id as company, revision, stamp from company_revisions where company_id = any ($1::int[])'
}

/**
 * Notices new revisions of companies with watchers: those of this process at the commit, those of others by reading all revisions in one
 * statement. NOTIFY would make all commits of the database wait for each other. Thousands of requests can wait, so a watch has no timer,
 * signal or listener of its own.
 */
export default fp(async function watch (app: FastifyInstance) {
  const watchers = new Map<number, Set<Watcher>>()
  let timer: NodeJS.Timeout | undefined
  let isReading = false
  let isStale = false
  let isClosing = false
  let reads = 0
  /** Ended watches whose promises are not resolved yet. */
  const ended: Array<() => void> = []
  let isWaking = false

  function add (company: number, watcher: Watcher): void {
    const own = watchers.get(company) ?? new Set()
    watchers.set(company, own.add(watcher))
    if (timer !== undefined) return
    timer = setInterval(() => {
      endOverdue()
      read()
    }, interval)
    commits.subscribe(onCommit)
  }

  function end (company: number, watcher: Watcher, outcome: WatchOutcome): void {
    const own = watchers.get(company)
    if (own?.delete(watcher) === true && own.size === 0) watchers.delete(company)
    ended.push(() => watcher.resolve(outcome))
    wake()
  }

  /** Resolves ended watches in slices. A commit can end thousands. */
  async function wake (): Promise<void> {
    if (isWaking) return
    isWaking = true
    while (ended.length > 0) {
      const began = performance.now()
      for (const resolve of ended.splice(0, slice)) resolve()
      await setImmediate()
      await sleep((performance.now() - began) * (1 / busyPart - 1))
    }
    isWaking = false
  }

  function endOverdue (): void {
    const now = performance.now()
    for (const [company, own] of watchers) {
      for (const watcher of own) {
        if (watcher.response.destroyed) end(company, watcher, 'disconnected')
        else if (watcher.deadline <= now) end(company, watcher, 'over')
      }
    }
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
      const rows = await app.database.sql.query<Revision & { company: number }>({ ...watchedRevisions, values: [[...watchers.keys()]] })
      for (const row of rows) {
        const { company } = row
        for (const watcher of watchers.get(company) ?? []) {
          if (watcher.after < number && !isSameRevision(watcher.known, row)) end(company, watcher, 'changed')
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

  app.decorate('watch', (company, known, seconds, response) => new Promise((resolve) => {
    if (isClosing) return resolve('closing')
    add(company, { known, after: reads, deadline: performance.now() + seconds * 1000, response, resolve })
  }))

  app.addHook('preClose', async () => {
    isClosing = true
    for (const [company, own] of watchers) for (const watcher of own) end(company, watcher, 'closing')
    for (const resolve of ended.splice(0)) resolve()
    stop()
  })
}, { name: 'watch', dependencies: ['database'] })
