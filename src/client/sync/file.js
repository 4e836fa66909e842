import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { MemoryStorage } from './memory.js'

/** @import { FileHandle } from 'node:fs/promises' */
/** @import { Changes } from './memory.js' */
/** @import { Storage } from './index.d.ts' */

const header = '{"format":"obra-store","version":1}\n'

/** The file is rewritten when it is larger than this, and than twice its entries. */
const smallest = 1024 * 1024

/** Files that this process has open. */
const opened = new Set()

/**
 * The file is a log: a header, then a line of JSON per transaction. The last line can be incomplete after a crash; it was not acknowledged.
 * @param {string} path
 * @returns {Promise<Storage>}
 */
export async function fileStorage (path) {
  const full = resolve(path)
  const unlock = await lockFile(full)
  try {
    const log = await readLog(full)
    /** @type {MemoryStorage} */
    const storage = new MemoryStorage(async changes => await log.append(changes, () => storage.entries()))
    for (const changes of log.transactions) storage.apply(changes)
    const closeMemory = storage.close.bind(storage)
    storage.close = async () => {
      await closeMemory()
      await log.close()
      await unlock()
    }
    return storage
  } catch (error) {
    await unlock()
    throw error
  }
}

/** @param {string} path */
async function readLog (path) {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== '' && !whole.startsWith(header)) throw new Error(`${path} is not the storage of a store.`)
  /** @type {Changes[]} */
  const transactions = whole.slice(header.length).split('\n').filter(line => line !== '').map(line => JSON.parse(line))
  if (whole === '') await (await replace(path, header)).close()
  let length = Buffer.byteLength(whole === '' ? header : whole)
  let live = length
  let file = await open(path, 'r+')
  await file.truncate(length)

  return {
    transactions,
    /**
     * @param {Changes} changes
     * @param {() => Changes} entries before the changes
     */
    append: async (changes, entries) => {
      if (length > smallest && length > 2 * live) {
        const text = `${header}${JSON.stringify(entries())}\n`
        const next = await replace(path, text)
        await file.close()
        file = next
        length = live = Buffer.byteLength(text)
      }
      // A deletion is a key alone: JSON has no `undefined`.
      const line = Buffer.from(`${JSON.stringify(changes.map(([key, value]) => value === undefined ? [key] : [key, value]))}\n`)
      try {
        let written = 0
        while (written < line.length) written += (await file.write(line, written, line.length - written, length + written)).bytesWritten
        await file.datasync()
      } catch (error) {
        // A part of the line must not stay: the next one is written after it.
        await file.truncate(length).catch(() => {})
        throw error
      }
      length += line.length
    },
    close: async () => await file.close()
  }
}

/**
 * Replaces a file with a text, durably and at once.
 * @param {string} path
 * @param {string} text
 * @returns {Promise<FileHandle>} the new file
 */
async function replace (path, text) {
  const next = `${path}.next`
  const file = await open(next, 'w+')
  await file.writeFile(text)
  await file.sync()
  await rename(next, path)
  const folder = await open(dirname(path))
  await folder.sync().finally(async () => await folder.close())
  return file
}

/**
 * Marks a file as in use. The mark of a process that has ended does not count.
 * @param {string} path
 * @returns {Promise<() => Promise<void>>} removes the mark
 */
async function lockFile (path) {
  const mark = `${path}.lock`
  if (opened.has(path)) throw new Error(`${path} is already open.`)
  opened.add(path)
  try {
    await createMark(mark).catch(async (error) => {
      if (error.code !== 'EEXIST') throw error
      const owner = Number(await readFile(mark, 'utf8'))
      if (isRunning(owner)) throw new Error(`${path} is in use by process ${owner}.`)
      await rm(mark)
      await createMark(mark)
    })
  } catch (error) {
    opened.delete(path)
    throw error
  }
  return async () => {
    await rm(mark, { force: true })
    opened.delete(path)
  }
}

/** @param {string} mark */
async function createMark (mark) {
  const file = await open(mark, 'wx')
  await file.writeFile(String(process.pid)).finally(async () => await file.close())
}

/** @param {number} pid of another process. In a new container, an earlier one can have had this process's number. */
function isRunning (pid) {
  if (!(pid > 0) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
