import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../files/errors.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/**
 * Writes a file that only its owner can read. It is written under another name and renamed when it is complete and on disk. So readers
 * and failures see either the old file or the complete new one.
 * @param write writes the content
 * @param keepOwnerOf a file whose owner the new file gets. Without it, a file of another user is refused, because that user could read the
 * content
 * @throws {Error} with a one-line message if the path is another user's file or no regular file. Nothing is written then.
 */
export async function replaceFile<T> (path: string, write: (file: FileHandle) => Promise<T>, keepOwnerOf?: string): Promise<T> {
  const owner = await refuseForeignFile(path, keepOwnerOf)
  const part = `${path}.${randomBytes(4).toString('hex')}`
  const file = await open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    if (owner !== undefined) await file.chown(owner.uid, owner.gid)
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

/**
 * Refuses the paths that {@link replaceFile} refuses, with the same parameters.
 * @returns the file whose owner the new file gets
 */
export async function refuseForeignFile (path: string, keepOwnerOf?: string): Promise<Stats | undefined> {
  const former = await statOf(path)
  const owner = keepOwnerOf === undefined ? undefined : await statOf(keepOwnerOf)
  if (former?.isFile() === false) {
    throw new Error(`${path} is not a regular file: name another one${former.isSymbolicLink() ? ', or the target of the link' : ''}`)
  }
  // Windows has no user ids.
  const me = process.geteuid?.()
  if (former !== undefined && me !== undefined && former.uid !== me && former.uid !== owner?.uid) {
    throw new Error(`${path} belongs to another user (${former.uid}), who could read the content: remove it, or pass --keep-owner`)
  }
  return owner
}

/** Stat of the path itself, without following a link; undefined if it does not exist. */
async function statOf (path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Writes the new name to disk. */
async function syncFolder (path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
