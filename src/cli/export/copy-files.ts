import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileKey, FileStore } from '../../domain/adjuntos/file-store.ts'
import { receive } from '../../domain/adjuntos/receive.ts'
import { CliError } from '../output.ts'
import { filesFolderOf } from './lists.ts'
import { messageOf } from '../../files/errors.ts'

/** Attempts to copy a file: a connection can be lost in a long export. */
const maxAttempts = 3

/** The number of copied files, and the keys of files that are missing in the store or damaged there. */
interface CopyResult {
  files: number
  lost: string[]
}

/**
 * Copies files to the folders of their companies in an export, and checks their hashes.
 * @param hashes of the files, by company
 * @throws {CliError} if a file cannot be read
 */
export async function copyFiles (folder: string, hashes: ReadonlyMap<number, string[]>, store: FileStore): Promise<CopyResult> {
  const result: CopyResult = { files: 0, lost: [] }
  for (const [company, all] of hashes) {
    const target = join(folder, filesFolderOf(company))
    await mkdir(target, { mode: 0o700 })
    for (const sha256 of all) {
      if (await copyFile({ company, sha256 }, store, join(target, sha256))) result.files++
      else result.lost.push(`${company}/${sha256}`)
    }
  }
  return result
}

/** @returns whether the store has the bytes of the key. Otherwise there is no copy. @throws {CliError} */
async function copyFile (key: FileKey, store: FileStore, path: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = await store.read(key)
      const isWhole = stored !== undefined && (await receive(stored, path, Infinity)).sha256 === key.sha256
      if (!isWhole) await rm(path, { force: true })
      return isWhole
    } catch (error) {
      await rm(path, { force: true })
      if (attempt === maxAttempts) throw new CliError(`the file ${key.company}/${key.sha256} cannot be read: ${messageOf(error)}`)
    }
  }
}
