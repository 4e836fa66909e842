import { loadConfig, type Config } from '../config.ts'
import { openAsOwner, openDatabase, type Database, type Owned } from '../database/database.ts'

/** Runs a command on the database, acting as the service does; pending migrations are an error. */
export async function withDatabase<T> (work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig(process.env, 'command')
  const database = await openDatabase(config, 'refuse')
  try {
    return await work(database, config)
  } finally {
    await database.close()
  }
}

/** Runs a command as the owner of the tables, on that many connections. */
export async function asOwner<T> (work: (owned: Owned, config: Config) => Promise<T>, connections = 1): Promise<T> {
  const config = loadConfig(process.env, 'command')
  const owned = await openAsOwner(config, connections)
  try {
    return await work(owned, config)
  } finally {
    await owned.close()
  }
}
