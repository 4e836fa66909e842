import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PGlite } from '@electric-sql/pglite'
import { flushPath, flushTree } from '../../files/flush.ts'
import { messageOf } from '../../files/errors.ts'

/** PostgreSQL in this process. No other process has its folder open. */
interface Embedded {
  pglite: PGlite
  close: () => Promise<void>
}

const folderOf = (dataDir: string) => join(dataDir, 'pglite')

/** Whether `dataDir` contains an embedded database. */
export function isMade (dataDir: string): boolean {
  return existsSync(folderOf(dataDir))
}

/**
 * Opens the embedded database in `dataDir`, and creates it if the folder is new.
 * @throws {Error} if another process has it open, because two processes would corrupt it, or if its files cannot be opened
 */
export async function openEmbedded (dataDir: string): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(dataDir)
  try {
    if (!isMade(dataDir)) await make(dataDir)
    const pglite = await openMade(dataDir)
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

/** PGlite's own errors of damaged files do not say so, such as "Aborted()". */
async function openMade (dataDir: string): Promise<PGlite> {
  try {
    return await openFolder(folderOf(dataDir))
  } catch (error) {
    const reason = `the embedded database in ${dataDir} cannot be opened (${messageOf(error)}). Its files are damaged or incomplete`
    const remedy = 'set a new DATA_DIR, restore a backup with `obra restore`, and keep this folder until the restored data is complete'
    throw new Error(`${reason}: ${remedy}`, { cause: error })
  }
}

/** Opens a folder, or fills it if it is new. Each commit is on the disk before its statement ends. */
async function openFolder (folder: string): Promise<PGlite> {
  // Loaded here, because most servers use PostgreSQL.
  const { PGlite } = await import('@electric-sql/pglite')
  const { DurableFiles, durableParams } = await import('./durable-files.ts')
  return await PGlite.create({ fs: new DurableFiles(folder), startParams: durableParams })
}

/** Creates an empty database. It gets its name when it is complete on the disk, so that a crash leaves none or a whole one. */
async function make (dataDir: string): Promise<void> {
  const [folder, part] = [folderOf(dataDir), `${folderOf(dataDir)}.part`]
  rmSync(part, { recursive: true, force: true })
  const pglite = await openFolder(part)
  await pglite.close()
  await flushTree(part)
  renameSync(part, folder)
  await flushPath(dataDir)
}

/** Whether SQLite found the file locked. */
function isBusy (error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

/**
 * Locks the folder. Node.js has no file locks, so SQLite takes the lock of the operating system. That lock ends with the process, so no
 * stale lock prevents a start.
 */
function lockFolder (dataDir: string): () => void {
  const file = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (!isBusy(error)) {
      throw new Error(`the embedded database in ${dataDir} cannot be locked: ${messageOf(error)}`)
    }
    throw new Error(
      `the embedded database in ${dataDir} is open in another process: stop that process, set another DATA_DIR, or use DATABASE_URL`
    )
  }
  return () => file.close()
}
