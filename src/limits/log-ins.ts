import type { Count, Failures } from './failures.ts'
import type { KnownAddresses } from './known-addresses.ts'
import type { Names } from './names.ts'

/** Counts of failed attempts. */
interface LogInFailures {
  /** Of one account from one address. */
  pairs: Failures
  /** Of one account from all addresses. */
  accounts: Failures
  /** From one address to all accounts. */
  addresses: Failures
}

/**
 * Decides which attempts to prove a password are admitted (decision 22). After too many failures of its account, its address, or its
 * account from its address, an attempt is refused for a time. At an address that logged in to the account recently, only the last count
 * applies. So others cannot lock out the owner at a known address.
 */
export class LogInAttempts {
  readonly #failures: LogInFailures
  readonly #known: KnownAddresses
  readonly #nameOf: Names

  constructor (failures: LogInFailures, known: KnownAddresses, nameOf: Names) {
    this.#failures = failures
    this.#known = known
    this.#nameOf = nameOf
  }

  /**
   * Runs an attempt and counts its result.
   * @param attempt returns `undefined` if the password was wrong
   * @param refuse creates the error for an attempt that must wait, given the wait in ms
   */
  async make<T> (
    account: string, address: string, attempt: () => Promise<T | undefined>, refuse: (wait: number) => Error
  ): Promise<T | undefined> {
    const { pairs, accounts, addresses } = this.#failures
    const pair = pairs.of(this.#nameOf(account, address))
    const totals = [accounts.of(this.#nameOf(account)), addresses.of(this.#nameOf(address))]
    const end = await begin(pair, totals, async () => await this.#known.has(account, address), refuse)
    try {
      const outcome = await attempt()
      if (outcome === undefined) {
        const counts = await this.#known.has(account, address) ? [pair] : [pair, ...totals]
        await Promise.all(counts.map(async count => await count.add()))
      } else {
        await Promise.all([pair.forget(), this.#known.add(account, address)])
      }
      return outcome
    } finally {
      end()
    }
  }
}

/**
 * Waits while as many attempts are in progress as failures are left. So parallel attempts get no more guesses than sequential ones, and
 * none is refused only because others are in progress. It looks the address up only if that makes a difference.
 * @returns a function that ends the attempt
 */
async function begin (pair: Count, totals: Count[], isKnown: () => Promise<boolean>, refuse: (wait: number) => Error): Promise<() => void> {
  const all = [pair, ...totals]
  let known: boolean | undefined
  while (true) {
    const counts = known === true ? [pair] : all
    const [own, ...others] = await Promise.all(counts.map(async count => ({ count, ...await count.look() })))
    if (own.wait > 0) throw refuse(own.wait)
    const wait = Math.max(0, ...others.map(({ wait }) => wait))
    const full = [own, ...others].filter(({ count, left }) => count.underWay.size >= left)
    if (wait === 0 && full.length === 0) break

    if (known === undefined && (wait > 0 || full.some(({ count }) => count !== pair))) known = await isKnown()
    else if (wait > 0) throw refuse(wait)
    else await Promise.race(full.flatMap(({ count }) => [...count.underWay]))
  }
  const ends = all.map(count => count.begin())
  return () => { for (const end of ends) end() }
}
