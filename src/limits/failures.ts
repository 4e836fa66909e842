import type { Counters } from './counters.ts'

const hour = 60 * 60 * 1000
const longestDelay = hour

/** From how many failures on attempts must wait, and how long; times in milliseconds. */
export interface Waits {
  /** Failures that nobody waits for. */
  free: number
  /** The wait after the last of them; each further failure doubles it, up to an hour. */
  first: number
  /** After this, fewer than are free are forgotten. More are an hour after their wait. */
  forgotten: number
}

/** The failures of one account, of one address, or of an account from an address. */
export interface Count {
  /** How long the next attempt must wait, and how many may be under way at once: as many as failures are left before there is a wait. */
  look: () => Promise<{ wait: number, left: number }>
  /** The attempts that are under way. */
  underWay: ReadonlySet<Promise<void>>
  /** An attempt begins. @returns what ends it */
  begin: () => () => void
  add: () => Promise<void>
  forget: () => Promise<void>
}

/** Counts failures of many names by one rule (decision 22). */
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
      // One above what is free lives for its wait, and then so long that the next failure still finds it.
      add: async () => await counters.add(name, count => count < waits.free ? waits.forgotten : delay(waits, count) + longestDelay),
      forget: async () => await counters.remove(name)
    }
  }
}

function delay ({ free, first }: Waits, count: number): number {
  return Math.min(longestDelay, first * 2 ** (count - free))
}
