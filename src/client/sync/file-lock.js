import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomUuid } from '../random.js'

/** Files that this process has open. */
const opened = new Set()

/**
 * Marks a file as in use by this process. The mark of a process that has ended does not count.
 * @param {string} path
 * @returns {Promise<() => Promise<void>>} removes the mark
 * @throws {Error} if the file is in use
 */
export async function lockFile (path) {
  const mark = `${path}.lock`
  if (opened.has(path)) throw new Error(`${path} is already open.`)
  opened.add(path)
  const own = `${mark}.${randomUuid()}`
  try {
    // A mark appears with its content: an empty one would look like that of a process that has ended.
    await writeFile(own, String(process.pid))
    await createMark(own, mark, path)
  } catch (error) {
    opened.delete(path)
    throw error
  } finally {
    await rm(own, { force: true })
  }
  return async () => {
    await rm(mark, { force: true })
    opened.delete(path)
  }
}

/** @param {string} own @param {string} mark @param {string} path */
async function createMark (own, mark, path) {
  if (await canLink(own, mark)) return
  const text = await readFile(mark, 'utf8')
  const owner = Number(text)
  if (isRunning(owner)) throw new Error(`${path} is in use by process ${owner}.`)
  const removed = `${own}.removed`
  await rename(mark, removed)
  // Another process may have replaced the mark after it was read.
  const isOther = await readFile(removed, 'utf8') !== text
  if (isOther) await canLink(removed, mark)
  await rm(removed)
  if (isOther || !await canLink(own, mark)) throw new Error(`${path} is in use by another process.`)
}

/** Links a new name to a file. @param {string} file @param {string} name @returns {Promise<boolean>} whether the name was free */
async function canLink (file, name) {
  return await link(file, name).then(() => true, (error) => {
    if (error.code === 'EEXIST') return false
    throw error
  })
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
