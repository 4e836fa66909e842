import type { Storage } from './index.d.ts'

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
export declare function sqliteStorage (database: SqliteDatabase): Promise<Storage>
