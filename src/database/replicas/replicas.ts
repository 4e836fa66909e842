import { setTimeout as sleep } from 'node:timers/promises'
import { primaryProbe, type Replica } from './replica.ts'
import type { Sql } from '../connection/sql.ts'
import { Crowded } from '../turns/crowded.ts'
import type { BatchRequest, Turns } from '../turns/batch-requests.ts'

/** Interval in ms at which the position of the primary is read. */
const interval = 400

/** Time in ms at a replica after which a read is not repeated on the primary, so that the client has an answer within 30 s. */
const longestRead = 5000

/** The replicas of the database; empty on the embedded database. */
export class Replicas {
  readonly list: readonly Replica[]
  /** Number of reads at a revision that the primary has answered. */
  primaryReads = 0
  readonly #primary: Sql
  readonly #closing = new AbortController()

  constructor (list: readonly Replica[], primary: Sql) {
    this.list = list
    this.#primary = primary
    if (list.length > 0) this.#followPrimary()
  }

  /** Adds the replicas to the primary's read turn: they answer reads at a revision that they have. The primary answers the others. */
  withReplicas (primary: Turns['read']): Turns['read'] {
    if (this.list.length === 0) return primary
    return async (request) => {
      const began = performance.now()
      const rows = await this.#choose(request)?.read(request)
      if (rows !== undefined) return rows
      if (performance.now() - began > longestRead) throw new Crowded('a replica failed after a long time')
      if (request.at !== undefined) this.primaryReads++
      return await primary(request)
    }
  }

  /** Closes all replicas. */
  async close (): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.list.map(async replica => await replica.close()))
  }

  /** The replica with the fewest reads in progress. Without load, each company has one, where its equal reads run once. */
  #choose ({ company, at }: BatchRequest): Replica | undefined {
    if (at === undefined) return undefined
    const { length } = this.list
    let chosen: Replica | undefined
    for (let index = 0; index < length; index++) {
      const replica = this.list[(company + index) % length]
      if (replica.mayAnswer(company) && replica.active < (chosen?.active ?? Infinity)) chosen = replica
    }
    return chosen
  }

  /** Passes the primary's log position to the replicas. */
  async #followPrimary (): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const [row] = await this.#primary.query({ text: primaryProbe, values: [] })
        for (const replica of this.list) replica.notePrimary(row?.['position'] ?? 0)
      } catch {} // Without the primary, the lag is unknown.
      await sleep(interval, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}
