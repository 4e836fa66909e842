import { link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUuid } from '../random.ts'
import type { FileHandle } from 'node:fs/promises'

/** Time in ms between two changes that a process makes to its mark. */
const interval = 1_000
/** Time in ms after which a mark without a change does not count: another process can have got the number of a process that has ended. */
const longestSilence = 6_000
/** The same for a process whose number is unknown here: it has ended, or runs in another container. */
const longestUnknown = 2.5 * interval

/** Files that this thread has open. */
const opened = new Set()

/**
 * Marks a file as in use by this process. The mark of a process that has ended does not count.
 * @throws {Error} if the file is in use
 */
export async function lockFile (path: string): Promise<FileLock> {
  if (opened.has(path)) throw new Error(`${path} is already open.`)
  opened.add(path)
  const mark = `${path}.lock`
  const own = `${mark}.${randomUuid()}`
  let file: FileHandle | undefined
  try {
    // A mark appears with its content: an empty one would look like that of a process that has ended.
    file = await open(own, 'wx')
    await file.writeFile(`${process.pid} ${randomUuid()}`)
    await createMark(own, mark, path)
    return new FileLock(path, mark, file)
  } catch (error) {
    await file?.close()
    opened.delete(path)
    throw error
  } finally {
    await rm(own, { force: true })
  }
}

/** The mark of this process. It changes every second, as a sign of life. */
export class FileLock {
  #path
  #mark
  #file
  #beats

  constructor (path: string, mark: string, file: FileHandle) {
    this.#path = path
    this.#mark = mark
    this.#file = file
    this.#beats = setInterval(() => file.utimes(Date.now() / 1000, Date.now() / 1000).catch(() => {}), interval)
    this.#beats.unref()
  }

  /** @throws {Error} if another process has opened the file, because this one showed no sign of life */
  async check () {
    if (!await this.#isOwn()) throw new Error(`${this.#path} was taken over by another process.`)
  }

  async unlock () {
    clearInterval(this.#beats)
    if (await this.#isOwn()) await rm(this.#mark, { force: true })
    await this.#file.close()
    opened.delete(this.#path)
  }

  async #isOwn () {
    const [own, present] = await Promise.all([this.#file.stat({ bigint: true }), stat(this.#mark, { bigint: true }).catch(() => undefined)])
    return present?.ino === own.ino
  }
}

async function createMark (own: string, mark: string, path: string) {
  if (await canLink(own, mark)) return
  const text = await readFile(mark, 'utf8')
  if (await isInUse(mark, text)) {
    throw new Error(`${path} is in use by process ${parseInt(text, 10)}. If that is another program, delete ${mark}.`)
  }
  const removed = `${own}.removed`
  await rename(mark, removed)
  // Another process may have replaced the mark after it was read.
  const isOther = await readFile(removed, 'utf8') !== text
  if (isOther) await canLink(removed, mark)
  await rm(removed)
  if (isOther || !await canLink(own, mark)) throw new Error(`${path} is in use by another process.`)
}

/** Links a new name to a file. @returns whether the name was free */
async function canLink (file: string, name: string): Promise<boolean> {
  return await link(file, name).then(() => true, (error) => {
    if (error.code === 'EEXIST') return false
    throw error
  })
}

/** Whether the process of a mark has the file open. Marks of earlier releases have only its number. */
async function isInUse (mark: string, text: string) {
  const [pid, id] = text.split(' ')
  // In a new container, an earlier process can have had this process's number.
  if (id === undefined) return isRunning(Number(pid)) && Number(pid) !== process.pid
  return await isChanging(mark, isRunning(Number(pid)) ? longestSilence : longestUnknown)
}

/** Waits until a mark changes. @param longest in ms @returns whether it has */
async function isChanging (mark: string, longest: number): Promise<boolean> {
  const timeOf = async () => await stat(mark, { bigint: true }).then(({ mtimeNs }) => mtimeNs, () => undefined)
  const first = await timeOf()
  for (let waited = 0; waited < longest; waited += 100) {
    await sleep(100)
    const present = await timeOf()
    if (present !== first) return present !== undefined
  }
  return false
}

function isRunning (pid: number) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}
