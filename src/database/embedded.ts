import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PGlite, types, type PGliteOptions } from '@electric-sql/pglite'
import { parsers } from './sql.ts'

/** PostgreSQL inside this process, in a folder that no other process has open. */
export interface Embedded {
  pglite: PGlite
  close: () => Promise<void>
}

/** Starts PGlite, reading values as `parsers` say, and arrays of those alone that have a parser: another array is its text. */
export async function startPglite (options: PGliteOptions): Promise<PGlite> {
  const pglite = await PGlite.create({ ...options, parsers })
  // PGlite copies its whole list for each answer, half of what a small query takes: in it are arrays of the rows of every table and view.
  const elements = Object.keys({ ...types.parsers, ...parsers }).filter(oid => /^\d+$/.test(oid))
  const { rows } = await pglite.query<{ typarray: number }>('select typarray from pg_type where oid = any ($1)', [elements])
  const wanted = [...elements, ...rows.map(({ typarray }) => typarray)]
  pglite.parsers = Object.fromEntries(wanted.map(oid => [oid, pglite.parsers[oid] as (typeof pglite.parsers)[number]]))
  return pglite
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
    const pglite = await startPglite({ dataDir: folderOf(dataDir) })
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
