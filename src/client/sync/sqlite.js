import { Locks } from './locks.js'

/** @import { Storage, Transaction } from './index.d.ts' */
/** @import { SqliteDatabase } from './sqlite.d.ts' */

/** An edit must survive a power failure once the app has shown it. With this journal, readers of the file do not wait for a writer. */
const preparation = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists entries (key text primary key not null, value not null)`

// One statement for any number of keys: each call crosses from JavaScript to native code.
const select = 'select key, value from entries where key in (select value from json_each(?))'
const selectRange = 'select key, value from entries where key >= ? and key < ? order by key'
const upsert = "insert or replace into entries select value ->> '$[0]', value ->> '$[1]' from json_each(?)"
const upsertBytes = 'insert or replace into entries values (?, ?)'
const remove = 'delete from entries where key in (select value from json_each(?))'

/**
 * @param {SqliteDatabase} database
 * @returns {Promise<Storage>}
 */
export async function sqliteStorage (database) {
  if (typeof database?.execAsync !== 'function') {
    const example = 'await openDatabaseAsync(name)'
    const advice = database instanceof Promise ? `not a promise: ${example}` : `such as ${example} of expo-sqlite`
    throw new TypeError(`sqliteStorage needs a database, ${advice}.`)
  }
  await database.execAsync(preparation)
  return new SqliteStorage(database)
}

/**
 * Entries in SQLite: JSON as text, bytes as a blob. Transactions run one after the other, because they share a connection.
 * @implements {Storage}
 */
class SqliteStorage {
  #database
  #locks = new Locks()
  /** @type {Set<() => void>} */
  #listeners = new Set()

  /** @param {SqliteDatabase} database */
  constructor (database) {
    this.#database = database
  }

  /**
   * @template Result
   * @param {'read' | 'write'} mode
   * @param {(transaction: Transaction) => Promise<Result>} work
   */
  async transaction (mode, work) {
    let hasWritten = false
    const operations = operationsOf(this.#database, () => { hasWritten = true })
    const result = await this.#locks.run('transaction', async () => {
      await this.#database.execAsync(mode === 'read' ? 'begin' : 'begin immediate')
      try {
        const result = await work(operations)
        await this.#database.execAsync('commit')
        return result
      } catch (error) {
        await this.#database.execAsync('rollback').catch(() => {})
        throw error
      }
    })
    if (hasWritten) for (const listener of this.#listeners) listener()
    return result
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
    await this.#locks.run('transaction', async () => await this.#database.closeAsync())
  }
}

/**
 * @param {SqliteDatabase} database
 * @param {() => void} onWrite
 * @returns {Transaction}
 */
function operationsOf (database, onWrite) {
  return {
    read: async (keys) => {
      const found = new Map(await entriesOf(database, select, [JSON.stringify(keys)]))
      return keys.map(key => found.get(key))
    },
    list: async prefix => await entriesOf(database, selectRange, [prefix, `${prefix}\uffff`]),
    write: async (changes) => {
      onWrite()
      const latest = [...new Map(changes)]
      const removed = latest.filter(([, value]) => value === undefined).map(([key]) => key)
      const bytes = latest.filter(([, value]) => ArrayBuffer.isView(value))
      const others = latest.filter(([, value]) => value !== undefined && !ArrayBuffer.isView(value))
      if (removed.length > 0) await database.runAsync(remove, [JSON.stringify(removed)])
      if (others.length > 0) await database.runAsync(upsert, [JSON.stringify(others.map(([key, value]) => [key, JSON.stringify(value)]))])
      for (const [key, value] of bytes) await database.runAsync(upsertBytes, [key, /** @type {Uint8Array} */ (value)])
    }
  }
}

/**
 * @param {SqliteDatabase} database
 * @param {string} statement
 * @param {string[]} parameters
 * @returns {Promise<Array<[string, unknown]>>}
 */
async function entriesOf (database, statement, parameters) {
  const rows = /** @type {Array<{ key: string, value: string | Uint8Array }>} */ (await database.getAllAsync(statement, parameters))
  return rows.map(({ key, value }) => [key, typeof value === 'string' ? JSON.parse(value) : value])
}
