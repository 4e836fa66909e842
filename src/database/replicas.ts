import { setTimeout as sleep } from 'node:timers/promises'
import type { Replica } from './replica.ts'
import type { Sql } from './sql.ts'
import type { BatchRequest, Turns } from './turns.ts'

/** Interval in ms at which the position of the primary is read. */
const interval = 400

/** The replicas of the database, without one on the embedded database. */
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
  reading (primary: Turns['read']): Turns['read'] {
    if (this.list.length === 0) return primary
    return async (request) => {
      const rows = await this.#choose(request)?.read(request)
      if (rows !== undefined) return rows
      if (request.at !== undefined) this.primaryReads++
      return await primary(request)
    }
  }

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
      const replica = this.list[(company + index) % length] as Replica
      if (replica.mayAnswer(company) && replica.active < (chosen?.active ?? Infinity)) chosen = replica
    }
    return chosen
  }

  /** Tells the replicas how far the primary is. */
  async #followPrimary (): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const [row] = await this.#primary.query({ text: "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position", values: [] })
        for (const replica of this.list) replica.note(row?.['position'])
      } catch {} // Without the primary, nobody is behind it.
      await sleep(interval, undefined, { signal, ref: false }).catch(() => {})
    }
  }
}
