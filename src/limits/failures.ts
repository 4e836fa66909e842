import { limits } from '../config/limits.ts'
import type { Counters } from './counters.ts'

const longestDelay = limits.rates.waitMs

/** How many failures are free, and the waits after them; times in milliseconds. */
interface Waits {
  /** Failures without a wait. */
  free: number
  /** The wait after the last free failure. Each further failure doubles it, up to an hour. */
  first: number
  /** Time after which a count below `free` is forgotten. Higher counts are forgotten an hour after their wait. */
  forgotten: number
}

/** The failures of an account, of an address, or of an account from an address. */
export interface Count {
  /** The wait in ms before the next attempt, and the number of attempts that can run concurrently. */
  look: () => Promise<{ wait: number, left: number }>
  /** Attempts in progress. */
  underWay: ReadonlySet<Promise<void>>
  /** Begins an attempt. @returns a function that ends it */
  begin: () => () => void
  add: () => Promise<void>
  forget: () => Promise<void>
}

/** Counts failures by name (decision 22). */
export class Failures {
  readonly #counters: Counters
  readonly #waits: Waits
  readonly #underWay = new Map<string, Set<Promise<void>>>()

  constructor (counters: Counters, waits: Waits) {
    this.#counters = counters
    this.#waits = waits
  }

  /** The failures of one name. */
  of (name: string): Count {
    const [counters, waits, all] = [this.#counters, this.#waits, this.#underWay]
    return {
      async look () {
        const { count, ttl } = await counters.read(name)
        return {
          wait: count < waits.free ? 0 : Math.max(0, Math.min(ttl - longestDelay, delay(waits, count))),
          left: Math.max(1, waits.free - count)
        }
      },
      get underWay () { return all.get(name) ?? new Set<Promise<void>>() },
      begin () {
        const { promise, resolve } = Promise.withResolvers<void>()
        const attempts = all.get(name) ?? new Set()
        all.set(name, attempts.add(promise))
        return () => {
          attempts.delete(promise)
          if (attempts.size === 0) all.delete(name)
          resolve()
        }
      },
      // A count of `free` or more outlives its wait by an hour, so that the next failure finds it.
      add: async () => await counters.add(name, count => count < waits.free ? waits.forgotten : delay(waits, count) + longestDelay),
      forget: async () => await counters.remove(name)
    }
  }
}

function delay ({ free, first }: Waits, count: number): number {
  return Math.min(longestDelay, first * 2 ** (count - free))
}
