import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { commits, switchedOffWebhooks } from '../../database/connection/channels.ts'
import type { Sql, Statement } from '../../database/connection/sql.ts'
import { deliver, type Delivering } from './deliver.ts'
import type { Lease } from './leases.ts'
import { RunningDeliveries } from './running.ts'
import { takeLeases } from './take.ts'

/** Interval in ms at which the deliverer notices the commits of other processes. */
const pollInterval = 500

/** Interval in ms at which it looks for webhooks of ended processes. */
const sweepInterval = 5000

/** Time in ms for which commits are collected. */
const collectTime = 20

const presentSnapshot: Statement<{ snapshot: string }> = {
  name: 'webhook snapshot', text: 'select pg_current_snapshot()::text as snapshot', values: []
}

/** Delivers the changes of all companies to their webhooks, together with other processes. */
export class Deliverer {
  readonly #query: Sql['query']
  readonly #context: Delivering
  readonly #log: FastifyBaseLogger
  readonly #running = new RunningDeliveries()
  /** Companies that have webhooks, as far as this process knows, with their customers. */
  readonly #known = new LRUCache<number, number>({ max: 10_000 })
  /** Companies with new commits. */
  readonly #changed = new Set<number>()
  /** Times by `performance.now()`: of planned attempts after failures, the next poll and the next sweep. */
  #retries: number[] = []
  #pollAt = 0
  #sweepAt = 0
  #snapshot = ''
  #hasFailed = false
  #isStopping = false
  #wake = () => {}
  #loop: Promise<void> | undefined

  constructor (query: Sql['query'], context: Omit<Delivering, 'isClosing'>, log: FastifyBaseLogger) {
    this.#query = query
    this.#context = { ...context, isClosing: () => this.#isStopping }
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

  /** Begins no further delivery, and waits for those in progress. */
  async stop (): Promise<void> {
    this.#isStopping = true
    commits.unsubscribe(this.#onCommit)
    this.#wake()
    await this.#loop
    await this.#running.ended()
  }

  readonly #onCommit = (companies: readonly number[]): void => {
    for (const company of companies) if (this.#known.has(company)) this.#changed.add(company)
    if (this.#changed.size > 0) this.#wake()
  }

  async #run (): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#take()
        this.#hasFailed = false
      } catch (error) {
        // Once, not every half second.
        if (!this.#hasFailed) this.#log.warn({ err: error }, 'looking for webhooks failed')
        this.#hasFailed = true
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
    const leases = await takeLeases(this.#query, ofAll ? undefined : changed, this.#running.all(), this.#running.free)
    this.#running.begin(leases, async lease => await this.#deliver(lease))
  }

  /**
   * Whether webhooks can be due that no commit of this process has announced. Without a commit since the last poll, there are only retries.
   */
  async #mayHaveMissed (): Promise<boolean> {
    const now = performance.now()
    if (now < this.#pollAt) return false
    this.#pollAt = now + pollInterval
    const [{ snapshot }] = await this.#query(presentSnapshot)
    const later = this.#retries.filter(at => at > now)
    if (snapshot === this.#snapshot && later.length === this.#retries.length && now < this.#sweepAt) return false
    this.#snapshot = snapshot
    this.#retries = later
    this.#sweepAt = now + sweepInterval
    return true
  }

  async #deliver (lease: Lease): Promise<void> {
    const { company, customer, webhook } = lease
    this.#known.set(company, customer)
    try {
      const { isBehind, pause, switchedOff } = await deliver(this.#context, lease)
      if (switchedOff !== undefined) {
        switchedOffWebhooks.publish({ company, webhook })
        this.#log.warn({ company, webhook, reason: switchedOff }, 'webhook switched off')
      }
      if (pause !== undefined) this.#retries.push(performance.now() + pause * 1000)
      if (isBehind) this.#changed.add(company)
    } catch (error) {
      // Another process, or this one, continues at the end of the lease.
      if (!this.#isStopping) this.#log.error({ err: error, company, webhook }, 'delivering to a webhook failed')
    }
    const waiting = this.#running.end(lease)
    if (waiting === 'all') this.#sweepAt = this.#pollAt = 0
    if (waiting === 'customer') {
      for (const [known, owner] of this.#known.entries()) if (owner === customer) this.#changed.add(known)
    }
    if (waiting !== undefined || this.#changed.size > 0) this.#wake()
  }
}
