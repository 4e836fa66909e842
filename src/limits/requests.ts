import { LRUCache } from 'lru-cache'

/** One of the windows that time is cut into, the same in every process. */
export interface Window {
  number: number
  /** Milliseconds. */
  length: number
}

/** Requests of one caller in this window. */
interface Count {
  /** Known requests to all processes. */
  count: number
  /** Requests to this process that the others do not know yet. */
  unshared: number
}

/** A caller's rate limit: requests that remain in the window, and seconds until the next one. */
export interface Standing {
  allowed: boolean
  remaining: number
  reset: number
}

/**
 * Sends this process's counts to the other processes. @returns the known totals of all processes
 * @throws if nothing was sent
 */
export type Exchange<Name> = (window: Window, unshared: ReadonlyMap<Name, number>) => Promise<ReadonlyMap<Name, number>>

const length = 60_000

/** Limit of callers in memory. Beyond it, the least recently seen caller is evicted. */
const mostCallers = 50_000

/**
 * Requests of each caller (a user or an address) in this minute. Counts are in memory, because every request counts, and processes
 * exchange them afterwards. A caller can exceed the limit by the requests not exchanged yet (decision 22).
 */
export class RequestCounts<Name extends string | number = number> {
  readonly #most: number
  #number = 0
  #ends = 0
  #counts: LRUCache<Name, Count>
  #unshared = new Map<Name, Count>()
  #exchanging = false

  /** @param most requests of one caller in a minute */
  constructor (most: number) {
    this.#most = most
    this.#counts = new LRUCache({ max: mostCallers, dispose: (_count, name) => this.#unshared.delete(name) })
  }

  /** Counts a request. */
  count (name: Name, now = Date.now()): Standing {
    this.#turnTo(now)
    let counted = this.#counts.get(name)
    if (counted === undefined) this.#counts.set(name, counted = { count: 0, unshared: 0 })
    counted.count++
    if (counted.unshared++ === 0) this.#unshared.set(name, counted)
    return this.#standing(counted.count, now)
  }

  /** Reads a caller's rate limit without counting. `allowed` is for the next request. */
  look (name: Name, now = Date.now()): Standing {
    this.#turnTo(now)
    const { allowed, remaining, reset } = this.#standing((this.#counts.get(name)?.count ?? 0) + 1, now)
    return { allowed, remaining: allowed ? remaining + 1 : 0, reset }
  }

  #standing (count: number, now: number): Standing {
    const remaining = this.#most - count
    return { allowed: remaining >= 0, remaining: Math.max(0, remaining), reset: Math.ceil((this.#ends - now) / 1000) }
  }

  #turnTo (now: number): void {
    // A clock that was set back also starts a new window: else a minute would last as long as the change.
    if (now < this.#ends && now >= this.#ends - length) return
    this.#number = Math.floor(now / length)
    this.#ends = (this.#number + 1) * length
    this.#counts.clear()
    this.#unshared = new Map()
  }

  /** Exchanges counts with other processes, once at a time. Keeps counts that could not be sent for the next time. */
  async exchange (send: Exchange<Name>): Promise<void> {
    const counted = this.#unshared
    if (this.#exchanging || counted.size === 0) return
    this.#exchanging = true
    const unshared = new Map([...counted].map(([name, { unshared }]) => [name, unshared]))
    try {
      const totals = await send({ number: this.#number, length }, unshared)
      for (const [name, sent] of unshared) {
        const mine = counted.get(name)
        if (mine === undefined) continue
        mine.unshared -= sent
        mine.count = (totals.get(name) ?? mine.count - mine.unshared) + mine.unshared
        if (mine.unshared === 0) counted.delete(name)
      }
    } finally {
      this.#exchanging = false
    }
  }
}
