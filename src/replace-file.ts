import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file that its owner alone may read, under another name beside it until it is whole and on the disk: whoever looks, and
 * whatever fails, finds the former file or the whole new one. The owner of a former one keeps it.
 * @param write writes the content
 */
export async function replaceFile<T> (path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const part = `${path}.${randomBytes(4).toString('hex')}`
  const file = await open(part, 'wx', 0o600)
  try {
    const former = await stat(path).catch(() => undefined)
    if (former !== undefined) await file.chown(former.uid, former.gid)
    const result = await write(file)
    await file.sync()
    await file.close()
    await rename(part, path)
    await syncFolder(dirname(path))
    return result
  } catch (error) {
    await file.close()
    await rm(part, { force: true })
    throw error
  }
}

/** The new name is on the disk too. */
async function syncFolder (path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
