import type { Count, Failures } from './failures.ts'
import type { KnownAddresses } from './known-addresses.ts'
import type { Names } from './names.ts'

/** The failures that are counted. */
export interface LogInFailures {
  /** Of one account from one address. */
  pairs: Failures
  /** Of one account from everywhere. */
  accounts: Failures
  /** From one address to whatever accounts. */
  addresses: Failures
}

/**
 * Decides which attempts to prove a password are let through (decision 22). Failures of an account, from an address, and of the account from the
 * address each have attempts wait. Who has lately logged in to the account from the address waits for the last of them alone: not for what
 * others do to the account from elsewhere, nor for what they do to other accounts from there; and a typo of theirs counts there alone.
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
   * Has an attempt made, and counts what comes of it.
   * @param attempt comes to `undefined` where the password was wrong
   * @param refuse makes the error for who must wait so many milliseconds
   */
  async make<T> (account: string, address: string, attempt: () => Promise<T | undefined>, refuse: (wait: number) => Error): Promise<T | undefined> {
    const { pairs, accounts, addresses } = this.#failures
    const pair = pairs.of(this.#nameOf(account, address))
    const totals = [accounts.of(this.#nameOf(account)), addresses.of(this.#nameOf(address))]
    const end = await begin(pair, totals, async () => await this.#known.has(account, address), refuse)
    try {
      const outcome = await attempt()
      if (outcome === undefined) await Promise.all((await this.#known.has(account, address) ? [pair] : [pair, ...totals]).map(async count => await count.add()))
      else await Promise.all([pair.forget(), this.#known.add(account, address)])
      return outcome
    } finally {
      end()
    }
  }
}

type Look = Awaited<ReturnType<Count['look']>> & { count: Count }

/**
 * Waits until fewer attempts are under way than failures are left: what is sent all at once gets no more tries than what is sent one after
 * the other, and nothing that would succeed is refused. Whether the address is known is asked only where it makes a difference.
 * @returns what ends the attempt
 */
async function begin (pair: Count, totals: Count[], isKnown: () => Promise<boolean>, refuse: (wait: number) => Error): Promise<() => void> {
  const all = [pair, ...totals]
  let known: boolean | undefined
  while (true) {
    const [own, ...others] = await Promise.all((known === true ? [pair] : all).map(async count => ({ count, ...await count.look() }))) as [Look, ...Look[]]
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
