import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { commits } from '../../database/channels.ts'
import type { Sql } from '../../database/sql.ts'
import { deliver, type Delivering } from './deliver.ts'
import { takeLeases, type Lease, type Places } from './leases.ts'

/** Interval in ms at which the deliverer notices the commits of other processes. */
const pollInterval = 500

/** Interval in ms at which it looks for webhooks of ended processes. */
const sweepInterval = 5000

/** Time in ms for which commits are collected. */
const collectTime = 20

/** Deliveries of this process at the same time, see {@link Places}. A slow receiver takes no place of a prompt one. */
const most: Places = { prompt: 256, slow: 64, slowOfCompany: 16 }

/** Delivers the changes of all companies to their webhooks, together with other processes. */
export class Deliverer {
  readonly #sql: Sql
  readonly #context: Delivering
  readonly #log: FastifyBaseLogger
  readonly #running = new Map<Lease, Promise<void>>()
  /** Companies that have webhooks, as far as this process knows. */
  readonly #known = new LRUCache<number, true>({ max: 10_000 })
  /** Companies with new commits. */
  readonly #changed = new Set<number>()
  /** Whether webhooks may have to wait for a place. */
  #isFull = false
  /** Times by `performance.now()`: of the next planned attempt after a failure, the next poll and the next sweep. */
  #retryAt = Infinity
  #pollAt = 0
  #sweepAt = 0
  #snapshot = ''
  #isStopping = false
  #wake = () => {}
  #loop: Promise<void> | undefined

  constructor (sql: Sql, context: Delivering, log: FastifyBaseLogger) {
    this.#sql = sql
    this.#context = context
    this.#log = log
  }

  /** Number of webhooks that it delivers to now. */
  get running (): number {
    return this.#running.size
  }

  start (): void {
    commits.subscribe(this.#onCommit)
    this.#loop = this.#run()
  }

  /** Takes no further webhooks, and waits for the deliveries in progress. */
  async stop (): Promise<void> {
    this.#isStopping = true
    commits.unsubscribe(this.#onCommit)
    this.#wake()
    await this.#loop
    await Promise.all(this.#running.values())
  }

  readonly #onCommit = (companies: readonly number[]): void => {
    for (const company of companies) if (this.#known.has(company)) this.#changed.add(company)
    if (this.#changed.size > 0) this.#wake()
  }

  async #run (): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#take()
      } catch (error) {
        this.#log.debug({ err: error }, 'looking for webhooks failed')
      }
      if (this.#changed.size === 0) await this.#pause(this.#pollAt - performance.now())
      // Collects the commits of busy companies.
      await sleep(collectTime, undefined, { ref: false })
    }
  }

  /** Waits until it is woken. */
  async #pause (milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, milliseconds)).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#isStopping) this.#wake()
    })
    this.#wake = () => {}
  }

  /** Starts to deliver to the webhooks that are due: those of changed companies or, if commits of other processes are possible, of all. */
  async #take (): Promise<void> {
    const ofAll = await this.#mayHaveMissed()
    const changed = [...this.#changed]
    this.#changed.clear()
    if (!ofAll && changed.length === 0) return
    const places = this.#places()
    const leases = await takeLeases(this.#sql, ofAll ? undefined : changed, this.#companiesWithSlow(most.slowOfCompany), places)
    this.#isFull = leases.length >= Math.min(places.prompt, places.slow)
    for (const lease of leases) this.#begin(lease)
  }

  /** Whether webhooks can be due that no commit of this process has announced. Without a commit since the last poll, there are only retries. */
  async #mayHaveMissed (): Promise<boolean> {
    const now = performance.now()
    if (now < this.#pollAt) return false
    this.#pollAt = now + pollInterval
    const [row] = await this.#sql.query({ name: 'webhook snapshot', text: 'select pg_current_snapshot()::text as snapshot', values: [] })
    const { snapshot } = row as { snapshot: string }
    if (snapshot === this.#snapshot && now < this.#retryAt && now < this.#sweepAt) return false
    this.#snapshot = snapshot
    this.#retryAt = Infinity
    this.#sweepAt = now + sweepInterval
    return true
  }

  /** Free places. */
  #places (): Places {
    const slow = [...this.#running.keys()].filter(isSlow).length
    return { ...most, slow: most.slow - slow, prompt: most.prompt - (this.#running.size - slow) }
  }

  /** Companies with this many deliveries to slow webhooks. */
  #companiesWithSlow (count: number): number[] {
    const slow = Map.groupBy([...this.#running.keys()].filter(isSlow), ({ company }) => company)
    return [...slow].filter(([, { length }]) => length >= count).map(([company]) => company)
  }

  #begin (lease: Lease): void {
    const { company, webhook } = lease
    this.#known.set(company, true)
    const work = deliver(this.#context, lease).then(({ isBehind, pause, switchedOff }) => {
      if (switchedOff !== undefined) this.#log.warn({ company, webhook, reason: switchedOff }, 'webhook switched off')
      if (pause !== undefined) this.#retryAt = Math.min(this.#retryAt, performance.now() + pause * 1000)
      if (isBehind) this.#changed.add(company)
    }, (error) => {
      // Another process, or this one, continues at the end of the lease.
      if (!this.#isStopping) this.#log.error({ err: error, company, webhook }, 'delivering to a webhook failed')
    }).finally(() => {
      this.#running.delete(lease)
      if (this.#isFull) this.#sweepAt = this.#pollAt = 0
      if (this.#isFull || this.#changed.size > 0) this.#wake()
    })
    this.#running.set(lease, work)
  }
}

function isSlow ({ failures, isSlow }: Lease): boolean {
  return failures > 0 || isSlow
}
