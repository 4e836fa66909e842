import { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase } from 'obra/client/sync/sqlite'

/** A database of Node.js with the methods of expo-sqlite. */
export function expoDatabase (path: string): SqliteDatabase {
  const database = new DatabaseSync(path)
  return {
    execAsync: async statements => database.exec(statements),
    runAsync: async (statement, parameters) => database.prepare(statement).run(...parameters),
    getAllAsync: async (statement, parameters) => database.prepare(statement).all(...parameters),
    closeAsync: async () => database.close()
  }
}
