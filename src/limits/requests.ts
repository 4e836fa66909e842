/** One of the windows that time is cut into, the same in every process. */
export interface Window {
  number: number
  /** Milliseconds. */
  length: number
}

/** What a user has asked in this window. */
interface Asked {
  /** Of all processes, as far as this one knows. */
  count: number
  /** Of this process, and not yet told to the others. */
  untold: number
}

/** Where a user stands: what is left of the window's requests, 0 at the last; seconds until the next window. */
export interface Standing {
  allowed: boolean
  remaining: number
  reset: number
}

/** Tells the others what users have asked of this process, and is told what they have asked of all. */
export type Share = (window: Window, untold: ReadonlyMap<number, number>) => Promise<Map<number, number>>

const length = 60_000

/**
 * How many requests each user has made in this minute. Counting is on the way of every request, so it is done here, in memory, and with
 * other processes afterwards: a user can exceed the limit by what the processes have not told each other yet (decision 22).
 */
export class RequestCounts {
  readonly #most: number
  #number = 0
  #ends = 0
  #asked = new Map<number, Asked>()

  /** @param most requests of one user in a minute */
  constructor (most: number) {
    this.#most = most
  }

  /** Counts a request. */
  count (user: number, now = Date.now()): Standing {
    // Before its beginning, too: a clock that was put back must not make one minute out of an hour.
    if (now >= this.#ends || now < this.#ends - length) this.#begin(now)
    let asked = this.#asked.get(user)
    if (asked === undefined) this.#asked.set(user, asked = { count: 0, untold: 0 })
    asked.count++
    asked.untold++
    const remaining = this.#most - asked.count
    return { allowed: remaining >= 0, remaining: Math.max(0, remaining), reset: Math.ceil((this.#ends - now) / 1000) }
  }

  #begin (now: number): void {
    this.#number = Math.floor(now / length)
    this.#ends = (this.#number + 1) * length
    this.#asked = new Map()
  }

  /** Evens out with other processes. Where that fails nothing is lost: it is told the next time. */
  async tell (share: Share): Promise<void> {
    const asked = this.#asked
    const untold = new Map([...asked].filter(([, { untold }]) => untold > 0).map(([user, { untold }]) => [user, untold]))
    if (untold.size === 0) return
    const totals = await share({ number: this.#number, length }, untold)
    for (const [user, total] of totals) {
      const mine = asked.get(user) as Asked
      mine.untold -= untold.get(user) as number
      mine.count = total + mine.untold
    }
  }
}
