import { Locks } from './locks.ts'
import type { Storage, Transaction } from './types.ts'

/** An undefined value deletes. */
export type Entries = Array<[key: string, value: unknown]>

/** A storage in memory. */
export function memoryStorage (): Storage {
  return new MemoryStorage()
}

/** Entries in memory. Transactions run one after the other. */
export class MemoryStorage implements Storage {
  #values = new Map<string, unknown>()
  /** The keys in order. */
  #keys: string[] = []
  #locks = new Locks()
  #listeners = new Set<() => void>()

  async transaction<Result> (mode: 'read' | 'write', work: (transaction: Transaction) => Promise<Result>) {
    const written = new Map<string, unknown>()
    return await this.#locks.run('transaction', async () => {
      const result = await work({
        read: async keys => keys.map(key => written.has(key) ? written.get(key) : this.#values.get(key)),
        list: async prefix => this.#list(prefix, written),
        write: async (changes) => { for (const [key, value] of changes) written.set(key, value) }
      })
      if (mode === 'write' && written.size > 0) await this.#commit([...written])
      return result
    })
  }

  async lock<Result> (name: string, work: () => Promise<Result>, signal?: AbortSignal) {
    return await this.#locks.run(`lock ${name}`, work, signal)
  }

  subscribe (listener: () => void) {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /** Ends after the transactions that have begun. */
  async close () {
    this.#listeners.clear()
    await this.#locks.run('transaction', async () => {})
  }

  /** Makes the changes of a transaction durable before they are visible. */
  async persist (_changes: Entries) {}

  /** All entries, in order. */
  entries (): Entries {
    return this.#keys.map(key => [key, this.#values.get(key)])
  }

  apply (changes: Entries) {
    for (const [key, value] of changes) {
      if (value === undefined) {
        if (this.#values.delete(key)) this.#keys.splice(this.#position(key), 1)
      } else {
        if (!this.#values.has(key)) this.#keys.splice(this.#position(key), 0, key)
        this.#values.set(key, value)
      }
    }
  }

  async #commit (changes: Entries) {
    await this.persist(changes)
    this.apply(changes)
    for (const listener of this.#listeners) listener()
  }

  #list (prefix: string, written: Map<string, unknown>): Entries {
    const keys = this.#keys.slice(this.#position(prefix), this.#position(`${prefix}\uffff`))
    const added = [...written.keys()].filter(key => key.startsWith(prefix) && !this.#values.has(key))
    const all = added.length === 0 ? keys : [...keys, ...added].sort(byText)
    const entries: Entries = all.map(key => [key, written.has(key) ? written.get(key) : this.#values.get(key)])
    return entries.filter(([, value]) => value !== undefined)
  }

  /** Index of the first key that is not less. */
  #position (key: string) {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#keys[middle] < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

function byText (a: string, b: string) {
  return a < b ? -1 : 1
}
