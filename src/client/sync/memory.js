import { Locks } from './locks.js'

/** @import { Storage, Transaction } from './index.d.ts' */
/** @typedef {Array<[key: string, value: unknown]>} Entries an undefined value deletes */

/** @returns {Storage} */
export function memoryStorage () {
  return new MemoryStorage()
}

/**
 * Entries in memory. Transactions run one after the other.
 * @implements {Storage}
 */
export class MemoryStorage {
  /** @type {Map<string, unknown>} */
  #values = new Map()
  /** The keys in order. @type {string[]} */
  #keys = []
  #locks = new Locks()
  /** @type {Set<() => void>} */
  #listeners = new Set()

  /**
   * @template Result
   * @param {'read' | 'write'} mode
   * @param {(transaction: Transaction) => Promise<Result>} work
   */
  async transaction (mode, work) {
    /** @type {Map<string, unknown>} */
    const written = new Map()
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

  /**
   * @template Result
   * @param {string} name
   * @param {() => Promise<Result>} work
   * @param {AbortSignal} [signal]
   */
  async lock (name, work, signal) {
    return await this.#locks.run(`lock ${name}`, work, signal)
  }

  /** @param {() => void} listener */
  subscribe (listener) {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /** Ends after the transactions that have begun. */
  async close () {
    this.#listeners.clear()
    await this.#locks.run('transaction', async () => {})
  }

  /** Makes the changes of a transaction durable before they are visible. @param {Entries} _changes */
  async persist (_changes) {}

  /** All entries, in order. @returns {Entries} */
  entries () {
    return this.#keys.map(key => [key, this.#values.get(key)])
  }

  /** @param {Entries} changes */
  apply (changes) {
    for (const [key, value] of changes) {
      if (value === undefined) {
        if (this.#values.delete(key)) this.#keys.splice(this.#position(key), 1)
      } else {
        if (!this.#values.has(key)) this.#keys.splice(this.#position(key), 0, key)
        this.#values.set(key, value)
      }
    }
  }

  /** @param {Entries} changes */
  async #commit (changes) {
    await this.persist(changes)
    this.apply(changes)
    for (const listener of this.#listeners) listener()
  }

  /**
   * @param {string} prefix
   * @param {Map<string, unknown>} written
   * @returns {Entries}
   */
  #list (prefix, written) {
    const keys = this.#keys.slice(this.#position(prefix), this.#position(`${prefix}\uffff`))
    const added = [...written.keys()].filter(key => key.startsWith(prefix) && !this.#values.has(key))
    const all = added.length === 0 ? keys : [...keys, ...added].sort(byText)
    /** @type {Entries} */
    const entries = all.map(key => [key, written.has(key) ? written.get(key) : this.#values.get(key)])
    return entries.filter(([, value]) => value !== undefined)
  }

  /** Index of the first key that is not less. @param {string} key */
  #position (key) {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (/** @type {string} */ (this.#keys[middle]) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function byText (a, b) {
  return a < b ? -1 : 1
}
