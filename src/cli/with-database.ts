import { loadConfig, type Config } from '../config.ts'
import { openAsOwner, openDatabase, type Database, type Owned } from '../database/database.ts'

/** The configuration of a command: it signs nothing, so it does without a key. */
export function commandConfig (): Config {
  return loadConfig(process.env, 'command')
}

/** Runs a command on the database, acting as the service does; pending migrations are an error. */
export async function withDatabase<T> (work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(commandConfig(), 'refuse')
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Runs a command as the owner of the tables, on that many connections. */
export async function asOwner<T> (work: (owned: Owned) => Promise<T>, connections = 1): Promise<T> {
  const owned = await openAsOwner(commandConfig(), connections)
  try {
    return await work(owned)
  } finally {
    await owned.close()
  }
}
