import { Locks } from './locks.ts'
import type { Storage, Transaction } from './types.ts'

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

/** The methods of a database that the storage calls, as expo-sqlite has them. */
export interface SqliteDatabase {
  /** Runs statements without results. */
  execAsync: (statements: string) => Promise<void>
  /** Runs a statement that writes. Bytes are stored as a blob. */
  runAsync: (statement: string, parameters: Array<string | Uint8Array>) => Promise<unknown>
  /** Runs a statement that reads. Returns its rows as objects, blobs as `Uint8Array`. */
  getAllAsync: (statement: string, parameters: string[]) => Promise<unknown[]>
  closeAsync: () => Promise<void>
}

/**
 * A storage in SQLite, for React Native. Needs SQLite 3.38 or newer.
 * @param database of this storage alone, opened once: `await openDatabaseAsync('obra.db')` of expo-sqlite
 * @throws {TypeError} if it is not such a database
 */
export async function sqliteStorage (database: SqliteDatabase): Promise<Storage> {
  if (typeof database?.execAsync !== 'function') {
    const example = 'await openDatabaseAsync(name)'
    const advice = database instanceof Promise ? `not a promise: ${example}` : `such as ${example} of expo-sqlite`
    throw new TypeError(`sqliteStorage needs a database, ${advice}.`)
  }
  await database.execAsync(preparation)
  return new SqliteStorage(database)
}

/** Entries in SQLite: JSON as text, bytes as a blob. Transactions run one after the other, because they share a connection. */
class SqliteStorage implements Storage {
  #database
  #locks = new Locks()
  #listeners = new Set<() => void>()

  constructor (database: SqliteDatabase) {
    this.#database = database
  }

  async transaction<Result> (mode: 'read' | 'write', work: (transaction: Transaction) => Promise<Result>) {
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
    await this.#locks.run('transaction', async () => await this.#database.closeAsync())
  }
}

function operationsOf (database: SqliteDatabase, onWrite: () => void): Transaction {
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
      for (const [key, value] of bytes) await database.runAsync(upsertBytes, [key, value as Uint8Array]) // `isView` is true of it
    }
  }
}

/** A stored entry, as both statements select it. */
interface EntryRow { key: string, value: string | Uint8Array }

async function entriesOf (database: SqliteDatabase, statement: string, parameters: string[]): Promise<Array<[string, unknown]>> {
  const rows = await database.getAllAsync(statement, parameters) as EntryRow[] // both statements select these columns
  return rows.map(({ key, value }) => [key, typeof value === 'string' ? JSON.parse(value) : value])
}
