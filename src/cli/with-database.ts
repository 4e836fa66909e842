import { loadConfig, type Config } from '../config.ts'
import { openAsOwner, openDatabase, type Owned } from '../server/open-database.ts'
import type { Database } from '../database/database.ts'
import { constraintOf, sqlState } from '../database/connection/sql-errors.ts'
import { explainDenied } from './denied.ts'
import { CliError } from './output.ts'

/** How commands open the database: that of the environment, or of a test. */
export interface Databases {
  withDatabase: typeof withDatabase
  asOwner: typeof asOwner
}

/** The database as commands use it, in the service's role. */
type CommandDatabase = Pick<Database, 'orm' | 'sql' | 'pool' | 'check'>

/** The configuration of a command, which needs no signing key. */
export function commandConfig (): Config {
  return loadConfig(process.env, 'command')
}

/**
 * Runs a command on the database in the service's role. Its statements wait up to 10 s for a lock.
 * @throws {Error} for pending migrations
 */
export async function withDatabase<T> (work: (database: CommandDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase({ ...commandConfig(), DATABASE_REPLICAS: undefined }, 'refuse')
  try {
    const { orm, lone, pool, check } = database
    return await work({ orm, sql: lone, pool, check })
  } finally {
    await database.close()
  }
}

/** Runs a command as the owner of the tables, with the given number of connections. @throws {CliError} if the login lacks a privilege */
export async function asOwner<T> (work: (owned: Pick<Owned, 'orm' | 'kind'>) => Promise<T>, connections = 1): Promise<T> {
  const owned = await openAsOwner(commandConfig(), connections)
  try {
    return await work(owned)
  } catch (error) {
    throw await explainDenied(owned.orm, error)
  } finally {
    await owned.close()
  }
}

/** Converts constraint errors of the database to messages. @throws {CliError} */
export async function withPlainErrors<T> (work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    switch (sqlState(error)) {
      case '23505': throw new CliError('the name or email address is already in use')
      case '23503': throw new CliError('the customer or company does not exist')
      case '23514':
        if (constraintOf(error) !== 'memberships_customer') throw error
        throw new CliError('a user of one customer cannot be a member of a company of another customer')
      case '22001': throw new CliError('the name is too long')
      default: throw error
    }
  }
}
