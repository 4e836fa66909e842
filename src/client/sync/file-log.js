import { constants, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** @import { FileHandle } from 'node:fs/promises' */
/** @import { Entries } from './memory.js' */

const header = '{"format":"obra-store","version":1}\n'

/** A header, then a line of JSON per transaction. */
export class FileLog {
  #path
  #file
  /** Bytes of the complete lines. */
  length
  /** Whether the folder may still have the file's earlier name. */
  #isRenamed = false

  /** @param {string} path @param {FileHandle} file @param {number} length */
  constructor (path, file, length) {
    this.#path = path
    this.#file = file
    this.length = length
  }

  /**
   * @param {string} path
   * @returns {Promise<{ log: FileLog, transactions: Entries[] }>}
   * @throws {Error} if the file is not a log
   */
  static async open (path) {
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    // The last line can be incomplete after a crash. It was not acknowledged.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole !== '' && !whole.startsWith(header)) throw new Error(`${path} is not the storage of a store.`)
    /** @type {Entries[]} */
    const transactions = whole.slice(header.length).split('\n').filter(line => line !== '').map(line => JSON.parse(line))
    const log = new FileLog(path, await open(path, constants.O_RDWR | constants.O_CREAT), Buffer.byteLength(whole))
    try {
      if (whole === '') await log.#replace(header)
      else await log.#file.truncate(log.length)
      return { log, transactions }
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /** Writes a transaction, durably. @param {Entries} changes */
  async append (changes) {
    if (this.#isRenamed) await this.#syncFolder()
    // A deletion is a key alone: JSON has no `undefined`.
    const line = Buffer.from(`${JSON.stringify(changes.map(([key, value]) => value === undefined ? [key] : [key, value]))}\n`)
    try {
      let written = 0
      while (written < line.length) {
        const { bytesWritten } = await this.#file.write(line, written, line.length - written, this.length + written)
        written += bytesWritten
      }
      await this.#file.datasync()
    } catch (error) {
      // A part of the line must not stay: the next one is written after it.
      await this.#file.truncate(this.length).catch(() => {})
      throw error
    }
    this.length += line.length
  }

  /** Replaces all transactions by one. @param {Entries} entries */
  async rewrite (entries) {
    await this.#replace(`${header}${JSON.stringify(entries)}\n`)
  }

  async close () {
    await this.#file.close()
  }

  /** Replaces the file at once. If it fails, the earlier file stays. @param {string} text */
  async #replace (text) {
    const next = `${this.#path}.next`
    const file = await open(next, 'w+')
    try {
      await file.writeFile(text)
      await file.sync()
      await rename(next, this.#path)
    } catch (error) {
      await file.close()
      await rm(next, { force: true })
      throw error
    }
    const earlier = this.#file
    this.#file = file
    this.length = Buffer.byteLength(text)
    this.#isRenamed = true
    await earlier.close()
  }

  /** Makes the name of a new file durable. Without it, a power failure could bring the earlier file back. */
  async #syncFolder () {
    const folder = await open(dirname(this.#path))
    await folder.sync().finally(async () => await folder.close())
    this.#isRenamed = false
  }
}
