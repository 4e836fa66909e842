import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileKey, FileStore } from '../../domain/adjuntos/file-store.ts'
import { folderOf } from './lists.ts'

/** The number of copied files, and the keys of files that are missing in the store or damaged there. */
export interface Copied {
  files: number
  lost: string[]
}

/** Copies the files of a company, which `files.json` of the export lists, and checks their hashes. @throws {StoreError} */
export async function copyFiles (folder: string, company: number, store: FileStore): Promise<Copied> {
  const target = join(folder, folderOf(company), 'files')
  const lost: string[] = []
  let files = 0
  await mkdir(target, { mode: 0o700 })
  // One record per line, between the lines with brackets.
  for await (const line of createInterface({ input: createReadStream(`${target}.json`), crlfDelay: Infinity })) {
    if (!line.startsWith('{')) continue
    const { sha256 } = JSON.parse(line.replace(/,$/, ''))
    if (await copyFile({ company, sha256 }, store, join(target, sha256))) files++
    else lost.push(`${company}/${sha256}`)
  }
  return { files, lost }
}

/** @returns whether the store has the bytes of the key. Otherwise there is no copy. */
async function copyFile (key: FileKey, store: FileStore, path: string): Promise<boolean> {
  const stored = await store.read(key)
  if (stored === undefined) return false
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform (piece, _encoding, done) {
      hash.update(piece)
      done(null, piece)
    }
  })
  await pipeline(stored, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  if (hash.digest('hex') === key.sha256) return true
  await rm(path)
  return false
}
