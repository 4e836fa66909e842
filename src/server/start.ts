import cluster from 'node:cluster'
import { loadConfig, type Config } from '../config.ts'
import { misspelt } from '../config/misspelt.ts'
import { awaited } from '../database/connection/awaited.ts'
import { openDatabase } from './open-database.ts'
import type { Pending } from './migrate.ts'
import type { Database } from '../database/database.ts'
import { isMade } from '../database/connection/embedded.ts'
import { hasDemo, loadDemo } from '../domain/demo/load.ts'
import { assertPortIsFree, serve } from './serve.ts'
import { withSigningKey } from '../auth/signing-key.ts'
import { welcome } from './welcome.ts'
import { startWorkers } from './workers.ts'

/**
 * Starts the service as configured: in this process or, with WORKERS, in several processes. Migrations, demo data and the generated signing
 * key are completed here, before the first worker starts.
 * @throws {Error} whose first line is the reason
 */
export async function start (): Promise<void> {
  const loaded = loadConfig()
  if (cluster.isPrimary) {
    for (const line of misspelt(process.env)) process.stderr.write(`obra: warning: ${line}\n`)
    await assertPortIsFree(loaded)
  }
  const config = withSigningKey(loaded)
  if (cluster.isWorker) {
    await serve(config, await open(config, 'refuse'))
    return
  }
  const database = await openSettled(config)
  const demo = config.NODE_ENV !== 'production' && await hasDemo(database.sql)
  if (config.WORKERS > 1) await database.close()
  const port = config.WORKERS > 1 ? await startWorkers(config) : await serve(config, database)
  if (config.NODE_ENV !== 'production') process.stdout.write(welcome(config, database.kind, port, demo))
}

/** Opens the database. Outside production, it is migrated, and demo data is loaded if it is empty. */
async function openSettled (config: Config): Promise<Database> {
  if (config.NODE_ENV === 'production') return await open(config, 'refuse')
  if (config.DATABASE_URL === undefined && !isMade(config.DATA_DIR)) {
    process.stdout.write(
      `Creating an embedded PostgreSQL in ${config.DATA_DIR} and loading demo data. This takes up to a minute, only once\n`)
  }
  const database = await open(config, 'migrate')
  try {
    await loadDemo(database.orm)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the database, and waits for it if necessary, because a machine starts its services in any order. */
async function open (config: Config, pending: Pending): Promise<Database> {
  const timeout = config.DATABASE_WAIT_SECONDS * 1000
  return await awaited(async () => await openDatabase(config, pending), timeout, ({ message }) => {
    process.stderr.write(`obra: ${message}; waiting up to ${config.DATABASE_WAIT_SECONDS} s for it\n`)
  })
}
