import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PGlite } from '@electric-sql/pglite'

/** PostgreSQL inside this process, in a folder that no other process has open. */
export interface Embedded {
  pglite: PGlite
  close: () => Promise<void>
}

const folderOf = (dataDir: string) => join(dataDir, 'pglite')

/** Whether the embedded database has been made in `dataDir`. */
export function isMade (dataDir: string): boolean {
  return existsSync(folderOf(dataDir))
}

/**
 * Opens the embedded database in `dataDir`, making it when the folder is new.
 * @throws {Error} when another process has it open: two would corrupt it
 */
export async function openEmbedded (dataDir: string): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lock(dataDir)
  try {
    const pglite = await PGlite.create({ dataDir: folderOf(dataDir) })
    return {
      pglite,
      async close () {
        await pglite.close()
        unlock()
      }
    }
  } catch (error) {
    unlock()
    throw error
  }
}

const sqliteBusy = 5

/**
 * Node has no file locks of its own; SQLite takes the operating system's, which ends with the process however the
 * process ends, so that no stale lock can keep a server from starting.
 */
function lock (dataDir: string): () => void {
  const file = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw new Error(`the embedded database in ${dataDir} cannot be locked: ${(error as Error).message}`)
    throw new Error(`the embedded database in ${dataDir} is open in another process: end that one, give this one another DATA_DIR, or use DATABASE_URL`)
  }
  return () => file.close()
}
