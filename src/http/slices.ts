import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../config/limits.ts'

/** Requests that this process works on. A request that only waits, such as an event stream, does not count. */
export const inProgress = { requests: 0 }

interface Lengths {
  /** Milliseconds that a slice runs at least before other requests run. */
  sliceMs: number
  /** Milliseconds that a computation runs before its first slice. A shorter computation never waits. */
  freeMs: number
  /** A slice runs for this part of the rest before it, if that is longer than `sliceMs`. Default: 0. */
  partOfRest?: number
  /** Milliseconds that a slice runs at most. Default: `sliceMs`. */
  maxSliceMs?: number
}

/** Computations of requests. Another short request has up to 20 steps, and each step can wait for one slice: 40 ms in all. */
const requestLengths: Lengths = { sliceMs: limits.slices.bodyMs, freeMs: 1 }

/**
 * Exports. Their slices are short, because an export may take seconds and should delay other requests little. In a busy process, a rest of
 * 1 ms takes as long as the requests that are ready. The slices are then longer, so exports together keep a fifth of the process.
 */
export const exportLengths: Lengths = {
  sliceMs: limits.slices.exportMs,
  freeMs: 0.5,
  partOfRest: limits.slices.exportPart / 100,
  maxSliceMs: limits.slices.exportSliceMs
}

/** Ends a slice if it has taken its time. It returns a promise of the next slice, or undefined while this one continues. */
export type Pause = () => Promise<void> | undefined

interface Waiter {
  /** Number of the computation, in the order of their beginnings. */
  number: number
  start: () => void
}

/**
 * Long computations that run in slices, one slice of the process at a time. Callers take turns: one with many large bodies gets no more
 * slices than one with a single body. Of one caller, the computation that began first gets its slices first.
 */
export class Slices {
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #lengths: Lengths
  readonly #rest: (milliseconds: number) => Promise<void>
  readonly #now: () => number
  #last = 0
  #isRunning = false
  /** Length in ms of the next slice. */
  #sliceMs: number

  /** @param rest lets other requests run after a slice of so many ms @param now time in ms */
  constructor (rest: (milliseconds: number) => Promise<void>, lengths = requestLengths, now = () => performance.now()) {
    this.#lengths = lengths
    this.#sliceMs = lengths.sliceMs
    this.#rest = rest
    this.#now = now
  }

  /** Begins a computation. Call the result between its parts. @param caller as `callerOf` names it */
  readonly begin = (caller: string): Pause => {
    const number = this.#last++
    let end = this.#now() + this.#lengths.freeMs
    return () => {
      if (this.#now() < end) return undefined
      return new Promise<void>(resolve => this.#wait(caller, { number, start: resolve })).then(() => { end = this.#now() + this.#sliceMs })
    }
  }

  #wait (caller: string, waiter: Waiter): void {
    const queue = this.#waiting.get(caller)
    if (queue === undefined) this.#waiting.set(caller, [waiter])
    else queue.splice(queue.findLastIndex(({ number }) => number < waiter.number) + 1, 0, waiter)
    if (this.#isRunning) return
    this.#isRunning = true
    this.#run()
  }

  async #run (): Promise<void> {
    // The free time of the first computation was its first slice.
    await this.#letOthersRun(this.#lengths.freeMs)
    // The loop visits a caller again that moves to the end.
    for (const [caller, queue] of this.#waiting) {
      const first = queue.shift()
      this.#waiting.delete(caller)
      if (queue.length > 0) this.#waiting.set(caller, queue)
      const began = this.#now()
      first?.start()
      // The slice runs before the next turn of the event loop.
      await nextTurn()
      await this.#letOthersRun(this.#now() - began)
    }
    this.#isRunning = false
  }

  async #letOthersRun (afterMs: number): Promise<void> {
    const began = this.#now()
    await this.#rest(afterMs)
    const { sliceMs, partOfRest = 0, maxSliceMs = sliceMs } = this.#lengths
    this.#sliceMs = Math.min(Math.max(sliceMs, partOfRest * (this.#now() - began)), maxSliceMs)
  }
}

/** A rest is as long as its slice if other requests are in progress. Otherwise, a few large bodies would take all the time. */
async function rest (milliseconds: number): Promise<void> {
  if (inProgress.requests > 1) await sleep(Math.max(1, Math.ceil(milliseconds)))
  else await nextTurn()
}

/** Computations of requests of this process. */
export const requestSlices = new Slices(rest)

/** Who sent a body, because Fastify gives validators nothing but the body. The slices of other bodies share one turn. */
export const sendersOf = new WeakMap<object, string>()

/** Exports of this process. Their requests do not count as in progress, so they rest for each other request, but not for each other. */
export const exportSlices = new Slices(
  async () => await (inProgress.requests > 0 ? sleep(limits.slices.exportPauseMs) : nextTurn()), exportLengths
)
