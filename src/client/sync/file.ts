import { resolve } from 'node:path'
import { lockFile } from './file-lock.ts'
import { FileLog, linesOf } from './file-log.ts'
import { MemoryStorage } from './memory.ts'
import type { FileLock } from './file-lock.ts'
import type { Storage } from './types.ts'
import type { Entries } from './memory.ts'

/** The file is rewritten when it is larger than this, and than twice its entries. */
const smallest = 1024 * 1024

/**
 * A storage in a file, for Node.js. One process at a time can have it open.
 * @throws {Error} if the file is in use by another process, or is not a storage
 */
export async function fileStorage (path: string): Promise<Storage> {
  const full = resolve(path)
  const lock = await lockFile(full)
  try {
    const { log, entries } = await FileLog.open(full)
    return new FileStorage(log, entries, lock)
  } catch (error) {
    await lock.unlock()
    throw error
  }
}

/** Entries in memory and in a log of their transactions. */
class FileStorage extends MemoryStorage {
  #log
  #lock
  /** Bytes of the log that its entries need, when it was opened or rewritten. */
  #needed
  #isClosed = false

  constructor (log: FileLog, entries: Entries, lock: FileLock) {
    super()
    this.#log = log
    this.#lock = lock
    this.apply(entries)
    this.#needed = log.length > smallest ? bytesOf(entries) : log.length
  }

  override async persist (changes: Entries) {
    if (this.#isClosed) throw new Error('The storage is closed.')
    await this.#lock.check()
    if (this.#log.length > smallest && this.#log.length > 2 * this.#needed) await this.#rewrite()
    await this.#log.append(changes)
  }

  /** A failure does not prevent the next transaction, which is appended. */
  async #rewrite () {
    await this.#log.rewrite(this.entries()).then(() => { this.#needed = this.#log.length }, () => {})
  }

  override async close () {
    if (this.#isClosed) return
    this.#isClosed = true
    await super.close()
    await this.#log.close()
    await this.#lock.unlock()
  }
}

/** Bytes of a log of these entries alone. */
function bytesOf (entries: Entries) {
  let bytes = 0
  for (const line of linesOf(entries)) bytes += Buffer.byteLength(line)
  return bytes
}
