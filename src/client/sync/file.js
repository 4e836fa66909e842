import { resolve } from 'node:path'
import { lockFile } from './file-lock.js'
import { FileLog, linesOf } from './file-log.js'
import { MemoryStorage } from './memory.js'

/** @import { FileLock } from './file-lock.js' */
/** @import { Storage } from './index.d.ts' */
/** @import { Entries } from './memory.js' */

/** The file is rewritten when it is larger than this, and than twice its entries. */
const smallest = 1024 * 1024

/**
 * @param {string} path
 * @returns {Promise<Storage>}
 */
export async function fileStorage (path) {
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

  /** @param {FileLog} log @param {Entries} entries @param {FileLock} lock */
  constructor (log, entries, lock) {
    super()
    this.#log = log
    this.#lock = lock
    this.apply(entries)
    this.#needed = log.length > smallest ? bytesOf(entries) : log.length
  }

  /** @override @param {Entries} changes */
  async persist (changes) {
    if (this.#isClosed) throw new Error('The storage is closed.')
    await this.#lock.check()
    if (this.#log.length > smallest && this.#log.length > 2 * this.#needed) await this.#rewrite()
    await this.#log.append(changes)
  }

  /** A failure does not prevent the next transaction, which is appended. */
  async #rewrite () {
    await this.#log.rewrite(this.entries()).then(() => { this.#needed = this.#log.length }, () => {})
  }

  /** @override */
  async close () {
    if (this.#isClosed) return
    this.#isClosed = true
    await super.close()
    await this.#log.close()
    await this.#lock.unlock()
  }
}

/** Bytes of a log of these entries alone. @param {Entries} entries */
function bytesOf (entries) {
  let bytes = 0
  for (const line of linesOf(entries)) bytes += Buffer.byteLength(line)
  return bytes
}
