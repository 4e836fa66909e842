import { createHash } from 'node:crypto'
import type { Counters } from './counters.ts'

/** What is counted of log-ins. */
export interface LogInCounters {
  /** Failures to one account from one address. */
  failures: Counters
  /** Failures to one account from everywhere. */
  totals: Counters
  /** Addresses that an account has lately logged in from. */
  known: Counters
}

const hour = 60 * 60 * 1000
const longestDelay = hour
const remembered = 30 * 24 * hour

/** How much more may fail from everywhere than from one address before only known addresses are admitted. */
const everywhere = 10

/** Hashed, since it is kept elsewhere too: who logs in from where. */
const nameOf = (...parts: string[]) => createHash('sha256').update(parts.join(' ')).digest('base64url')

/**
 * Decides which attempts to prove a password are let through (decision 22). From one address so many failures to an account are free;
 * from then on each makes the next attempt wait, twice as long each time. Who has lately logged in to the account from an address is not
 * concerned by what others do from elsewhere.
 */
export class LogInAttempts {
  readonly #counters: LogInCounters
  readonly #free: number
  readonly #window: number
  readonly #underWay = new Map<string, Set<Promise<void>>>()

  /** @param free failures from one address @param window milliseconds of the first wait, and after which fewer failures are forgotten */
  constructor (counters: LogInCounters, free: number, window: number) {
    this.#counters = counters
    this.#free = free
    this.#window = window
  }

  /**
   * Has an attempt made, and counts what comes of it.
   * @param attempt comes to `undefined` where the password was wrong
   * @param refuse makes the error for who must wait so many milliseconds
   */
  async make<T> (account: string, address: string, attempt: () => Promise<T | undefined>, refuse: (wait: number) => Error): Promise<T | undefined> {
    const { failures, totals, known } = this.#counters
    const [all, pair] = [nameOf(account), nameOf(account, address)]
    const end = await this.#begin(all, pair, refuse)
    try {
      const outcome = await attempt()
      if (outcome === undefined) {
        await Promise.all([failures.add(pair, count => this.#keptFor(count)), totals.add(all, () => hour)])
      } else {
        await Promise.all([failures.remove(pair), known.add(pair, () => remembered)])
      }
      return outcome
    } finally {
      end()
    }
  }

  /** A counter above what is free lives for its delay, and then so long that the next failure still finds it. */
  #keptFor (count: number): number {
    return count < this.#free ? this.#window : this.#delay(count) + longestDelay
  }

  #delay (count: number): number {
    return Math.min(longestDelay, this.#window * 2 ** (count - this.#free))
  }

  /**
   * Waits until fewer attempts are under way than the address has left: what is sent all at once gets no more tries than what is sent
   * one after the other, and nothing that would succeed is refused.
   * @returns what ends the attempt
   */
  async #begin (all: string, pair: string, refuse: (wait: number) => Error): Promise<() => void> {
    const { failures, totals, known } = this.#counters
    while (true) {
      const [own, total] = await Promise.all([failures.read(pair), totals.read(all)])
      const wait = own.count < this.#free ? 0 : Math.min(own.ttl - longestDelay, this.#delay(own.count))
      if (wait > 0) throw refuse(wait)
      if (total.count >= this.#free * everywhere && (await known.read(pair)).count === 0) throw refuse(total.ttl)

      const left = Math.max(1, this.#free - own.count)
      const others = this.#underWay.get(pair) ?? new Set()
      if (others.size < left) return this.#enter(pair, others)
      await Promise.race(others)
    }
  }

  #enter (pair: string, others: Set<Promise<void>>): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#underWay.set(pair, others.add(promise))
    return () => {
      others.delete(promise)
      if (others.size === 0) this.#underWay.delete(pair)
      resolve()
    }
  }
}
