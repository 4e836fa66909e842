import { limits } from '../../config/limits.ts'
import { turnRequests, turnRuns, type TurnRequest } from '../connection/channels.ts'
import type { MessageKey } from '../../http/messages.ts'
import { Crowded, maxWaitMs } from './crowded.ts'

/** The share of one key in a batch. */
interface Share<Request> {
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
      while (count < queue.length && taken.length + count < maxRequests && (count === 0 || queue[count].cost <= left)) {
        left -= queue[count++].cost
      }
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
      let count = 0
      while (count < queue.length && queue[count].deadline <= now) count++
      for (const one of queue.splice(0, count)) overdue.push(one)
      if (queue[0] === undefined) this.#byKey.delete(key)
      else this.#earliest = Math.min(this.#earliest, queue[0].deadline)
    }
    this.#size -= overdue.length
    return overdue
  }
}

/** How {@link batch} groups requests. */
export interface BatchOptions<Request = unknown> {
  /** Name in metrics and traces. */
  name: string
  /** Concurrent batches. Later requests wait and make the next batch larger. */
  inFlight: number
  /** Maximum requests per batch. */
  maxRequests: number
  /** Limits what one key, such as a company, has in a batch. Its other requests wait for the next one. */
  share?: Share<Request>
  /** Whether a single request can have caused an error. Then each request runs by itself and gets its own error. */
  isolates?: (error: unknown) => boolean
  /** Whether to retry after an error. Then the requests wait for the next batch, each until its own deadline. */
  repeats?: (error: unknown) => boolean
  /** Delays a batch, for example until a connection is free. The batch takes the requests that wait when it begins. Must not throw. */
  delay?: (run: () => Promise<void>) => Promise<void>
  /** Time in ms after which one batch more than `inFlight` can start, if the oldest batch still runs. */
  patienceMs?: number
  /** Time in ms. While the first waiting request of a key has waited longer, new ones are refused. */
  refuseAfterMs?: number
  /** Longest wait of a request for its batch, in ms. */
  requestWaitMs?: number
  /** Time, by `performance.now()`, after which a request is refused. Default: after `requestWaitMs`. */
  deadlineOf?: (request: Request) => number | undefined
  /** Message of a refusal. */
  key?: MessageKey
}

interface Asked<Request, Answer> extends Waiting {
  request: Request
  event: TurnRequest | undefined
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * The turn: collects the requests of one iteration of the event loop and answers them with one call of `run`. While fewer than
 * `inFlight` batches run, a request waits for nothing else. A request never joins a batch that started before it arrived.
 * @param run answers requests in order. Its error fails all of them (see `isolates` and `repeats`).
 * @returns a function that answers one request and throws {@link Crowded}
 */
export function batch<Request, Answer> (
  run: (requests: Request[]) => Promise<Answer[]>,
  {
    name, inFlight, maxRequests, share, isolates = () => false, repeats = () => false, delay, patienceMs = 1000,
    refuseAfterMs = limits.database.companyWaitMs, requestWaitMs = maxWaitMs, deadlineOf = () => undefined, key: message
  }: BatchOptions<Request>
): (request: Request) => Promise<Answer> {
  const waiting = new WaitingLine<Asked<Request, Answer>>(share?.maxCost ?? Infinity)
  const starts: number[] = []
  let scheduled = false
  let timer: NodeJS.Timeout | undefined
  let timerDue = Infinity

  function isFull (): boolean {
    if (starts.length < inFlight) return false
    return starts.length > inFlight || performance.now() < lapse()
  }

  /** Time at which the oldest batch exceeds `patienceMs`. */
  function lapse (): number {
    return starts[0] + patienceMs
  }

  function schedule () {
    if (scheduled || waiting.size === 0) return
    if (isFull()) return wakeLater()
    scheduled = true
    setImmediate(start)
  }

  /** Uses one timer for all requests. A timer for each would keep its objects alive past the young generation. */
  function wakeLater () {
    const due = Math.min(starts.length > inFlight ? Infinity : lapse(), waiting.earliest)
    if (due >= timerDue) return
    clearTimeout(timer)
    timerDue = due
    timer = setTimeout(wake, Math.max(1, due - performance.now()))
  }

  function wake () {
    timerDue = Infinity
    for (const { reject } of waiting.takeOverdue(performance.now())) reject(crowded(message))
    schedule()
  }

  function start () {
    scheduled = false
    if (waiting.size === 0) return
    const started = performance.now()
    starts.push(started)
    const work = delay === undefined ? runWaiting() : delay(runWaiting)
    work.finally(() => {
      starts.splice(starts.indexOf(started), 1)
      schedule()
    })
    schedule()
  }

  function runWaiting (): Promise<void> {
    const taken = waiting.take(maxRequests)
    if (taken.length === 0) return Promise.resolve()
    for (const { event } of taken) if (event !== undefined) event.size = taken.length
    const started = performance.now()
    const settled = settle(taken)
    if (turnRuns.hasSubscribers) {
      settled.then(() => turnRuns.publish({ turn: name, size: taken.length, seconds: (performance.now() - started) / 1000 }))
    }
    return settled
  }

  async function settle (taken: Array<Asked<Request, Answer>>): Promise<void> {
    try {
      const answers = await run(taken.map(({ request }) => request))
      for (const [index, { resolve }] of taken.entries()) resolve(answers[index])
    } catch (error) {
      if (repeats(error)) {
        for (const one of taken) waiting.add(one)
      } else if (taken.length > 1 && isolates(error)) {
        for (const one of taken) {
          if (one.deadline > performance.now()) await settle([one])
          else one.reject(crowded(message))
        }
      } else {
        for (const { reject } of taken) reject(error)
      }
    }
  }

  // Every request passes here, so it creates only one promise.
  const enqueue = (request: Request, event?: TurnRequest) => new Promise<Answer>((resolve, reject) => {
    const since = performance.now()
    const key = share?.keyOf(request)
    if (isFull() && since - (waiting.waitingSince(key) ?? since) > refuseAfterMs) throw crowded(message)
    waiting.add({
      request, event, key, cost: share?.costOf(request) ?? 0, since, deadline: deadlineOf(request) ?? since + requestWaitMs, resolve, reject
    })
    schedule()
  })

  return async function ask (request) {
    if (!turnRequests.start.hasSubscribers) return await enqueue(request)
    const event = { turn: name, size: 0 }
    return await turnRequests.tracePromise(enqueue, event, undefined, request, event)
  }
}

function crowded (key: MessageKey | undefined): Crowded {
  return new Crowded('too many requests wait for the database', { key })
}
