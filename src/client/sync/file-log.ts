import { constants, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import type { Entries } from './memory.ts'

const header = '{"format":"obra-store","version":1}\n'

/** An entry as the log has it: a deletion is a key alone, because JSON has no `undefined`, and bytes are the third element, in Base64. */
type Logged = [key: string] | [key: string, value: unknown] | [key: string, value: null, bytes: string]

/** Entries of a line of a rewritten log. A string has at most 512 MiB. */
const entriesPerLine = 100

/** A header, then a line of JSON per transaction. A rewritten log begins with lines of its entries. */
export class FileLog {
  #path
  #file
  /** Bytes of the complete lines. */
  length
  /** Whether the folder may still have the file's earlier name. */
  #isRenamed = false

  constructor (path: string, file: FileHandle, length: number) {
    this.#path = path
    this.#file = file
    this.length = length
  }

  /** @returns the entries after all transactions @throws {Error} if the file is not a log */
  static async open (path: string): Promise<{ log: FileLog, entries: Entries }> {
    const log = new FileLog(path, await open(path, constants.O_RDWR | constants.O_CREAT), 0)
    const entries = new Map<string, unknown>()
    try {
      for await (const line of completeLines(log.#file)) {
        const text = line.toString()
        if (log.length === 0 && text !== header) throw new Error(`${path} is not the storage of a store.`)
        for (const [key, value] of log.length === 0 || text === '\n' ? [] : entriesIn(text)) {
          if (value === undefined) entries.delete(key)
          else entries.set(key, value)
        }
        log.length += line.length
      }
      if (log.length === 0) await log.rewrite([])
      else await log.#file.truncate(log.length)
      return { log, entries: [...entries] }
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /** Writes a transaction, durably. */
  async append (changes: Entries) {
    if (this.#isRenamed) await this.#syncFolder()
    const line = Buffer.from(lineOf(changes))
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

  async close () {
    await this.#file.close()
  }

  /** Replaces all transactions by their result, at once. If it fails, the earlier file stays. */
  async rewrite (entries: Entries) {
    const next = `${this.#path}.next`
    const file = await open(next, 'w+')
    let length = 0
    try {
      for (const line of linesOf(entries)) {
        await file.writeFile(line)
        length += Buffer.byteLength(line)
      }
      await file.sync()
      await rename(next, this.#path)
    } catch (error) {
      await file.close()
      await rm(next, { force: true })
      throw error
    }
    const earlier = this.#file
    this.#file = file
    this.length = length
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

/** The lines of a rewritten log. */
export function * linesOf (entries: Entries): Generator<string> {
  yield header
  for (let start = 0; start < entries.length; start += entriesPerLine) yield lineOf(entries.slice(start, start + entriesPerLine))
}

/** A transaction as text. */
function lineOf (changes: Entries): string {
  const logged = changes.map(([key, value]): Logged => (
    value === undefined ? [key] : value instanceof Uint8Array ? [key, null, Buffer.from(value).toString('base64')] : [key, value]))
  return `${JSON.stringify(logged)}\n`
}

/** The complete lines of a file, with their ends. The last line can be incomplete after a crash: it was not acknowledged. */
async function * completeLines (file: FileHandle) {
  /** The beginning of a line. */
  let parts: Buffer[] = []
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1024 * 1024 })) {
    let start = 0
    for (let end = chunk.indexOf('\n') + 1; end > 0; end = chunk.indexOf('\n', start) + 1) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)])
      parts = []
      start = end
    }
    parts.push(chunk.subarray(start))
  }
}

function entriesIn (line: string): Entries {
  const logged: Logged[] = JSON.parse(line)
  return logged.map(([key, value, bytes]) => [key, bytes === undefined ? value : new Uint8Array(Buffer.from(bytes, 'base64'))])
}
