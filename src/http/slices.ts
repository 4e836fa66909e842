import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Requests that this process works on. A request that only waits, such as an event stream, does not count. */
export const inProgress = { requests: 0 }

/** Milliseconds of a slice. A short request has up to 20 steps, and each can wait for one slice. */
const sliceMs = 2

/** Milliseconds that a computation has before its first slice, so that short ones wait for nothing. */
const freeMs = 1

/** Ends a slice if it has taken its time. It returns a promise of the next slice, or undefined while this one continues. */
export type Pause = () => Promise<void> | undefined

interface Waiter {
  /** Number of the computation, in the order of their beginnings. */
  number: number
  start: () => void
}

/**
 * Long computations that run in slices, one slice of the process at a time. Callers take turns: one with many large bodies gets no more slices
 * than one with a single body. Of one caller, the computation that began first gets its slices first.
 */
export class Slices {
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #rest: (milliseconds: number) => Promise<void>
  readonly #now: () => number
  #last = 0
  #isRunning = false

  /** @param rest lets other requests run after a slice of so many ms @param now time in ms */
  constructor (rest: (milliseconds: number) => Promise<void>, now = () => performance.now()) {
    this.#rest = rest
    this.#now = now
  }

  /** Begins a computation. Call the result between its parts. @param caller as `callerOf` names it */
  readonly begin = (caller: string): Pause => {
    const number = this.#last++
    let end = this.#now() + freeMs
    return () => {
      if (this.#now() < end) return undefined
      return new Promise<void>(resolve => this.#wait(caller, { number, start: resolve })).then(() => { end = this.#now() + sliceMs })
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
    await this.#rest(freeMs)
    // The loop visits a caller again that moves to the end.
    for (const [caller, queue] of this.#waiting) {
      const first = queue.shift()
      this.#waiting.delete(caller)
      if (queue.length > 0) this.#waiting.set(caller, queue)
      const began = this.#now()
      first?.start()
      // The slice runs before the next turn of the event loop.
      await nextTurn()
      await this.#rest(this.#now() - began)
    }
    this.#isRunning = false
  }
}

/** A rest is as long as its slice if other requests are in progress. Otherwise, a few large bodies would take all the time. */
async function rest (milliseconds: number): Promise<void> {
  if (inProgress.requests > 1) await sleep(Math.max(1, Math.ceil(milliseconds)))
  else await nextTurn()
}

/** The computations of this process. */
export const computations = new Slices(rest)

/** Begins a computation of this process, see {@link Slices.begin}. @param caller as `callerOf` names it */
export function slices (caller: string): Pause {
  return computations.begin(caller)
}
