/** The share of one key in a batch. */
export interface Share<Request> {
  keyOf: (request: Request) => unknown
  /** Expected work for a request, in the unit of `maxCost`. */
  costOf: (request: Request) => number
  maxCost: number
}

/** A request that waits for a batch. */
export interface Waiting {
  /** Key and cost in the {@link Share}. */
  key: unknown
  cost: number
  /** Start and end of the wait, by `performance.now()`. */
  since: number
  deadline: number
}

/** Requests that wait for a batch, for each key in the order of their deadlines. Keys take turns. */
export class WaitingLine<One extends Waiting> {
  readonly #share: number
  #byKey = new Map<unknown, One[]>()
  #size = 0
  /** No waiting request has an earlier deadline. */
  #earliest = Infinity

  /** @param share total cost of a key's requests in a batch. One request is taken in any case. */
  constructor (share: number) {
    this.#share = share
  }

  /** Number of waiting requests. */
  get size (): number {
    return this.#size
  }

  /** A time up to which no request is overdue. */
  get earliest (): number {
    return this.#earliest
  }

  add (one: One): void {
    const queue = this.#byKey.get(one.key)
    if (queue === undefined) this.#byKey.set(one.key, [one])
    else queue.splice(queue.findLastIndex(({ deadline }) => deadline <= one.deadline) + 1, 0, one)
    this.#size++
    this.#earliest = Math.min(this.#earliest, one.deadline)
  }

  /** When the first request of a key began to wait; undefined if none waits. */
  waitingSince (key: unknown): number | undefined {
    return this.#byKey.get(key)?.[0]?.since
  }

  /** Removes the requests of the next batch: of each key as many as its share allows, up to `maxRequests` in total. */
  take (maxRequests: number): One[] {
    const taken: One[] = []
    const rest: Array<[unknown, One[]]> = []
    for (const [key, queue] of this.#byKey) {
      if (taken.length >= maxRequests) break
      let left = this.#share
      let count = 0
      while (count < queue.length && taken.length + count < maxRequests && (count === 0 || queue[count].cost <= left)) left -= queue[count++].cost
      for (const one of queue.splice(0, count)) taken.push(one)
      this.#byKey.delete(key)
      if (queue.length > 0) rest.push([key, queue])
    }
    for (const [key, queue] of rest) this.#byKey.set(key, queue)
    this.#size -= taken.length
    if (this.#size === 0) this.#earliest = Infinity
    return taken
  }

  /** Removes the requests whose deadline has passed. */
  takeOverdue (now: number): One[] {
    const overdue: One[] = []
    this.#earliest = Infinity
    for (const [key, queue] of this.#byKey) {
      while (queue[0] !== undefined && queue[0].deadline <= now) overdue.push(queue.shift() as One)
      if (queue[0] === undefined) this.#byKey.delete(key)
      else this.#earliest = Math.min(this.#earliest, queue[0].deadline)
    }
    this.#size -= overdue.length
    return overdue
  }
}
