import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** For `catch`: the result is undefined if the file is missing. @throws other errors */
export function unlessMissing (error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Bytes of a file; undefined without one. */
export async function sizeOfFile (path: string): Promise<number | undefined> {
  return (await stat(path).catch(unlessMissing))?.size
}

/** Removes old files from a folder. @param isOurs whether a name is that of a file to remove @param olderThanMs age of the last write */
export async function removeOldFiles (folder: string, isOurs: (name: string) => boolean, olderThanMs: number): Promise<void> {
  for (const name of await readdir(folder).catch(unlessMissing) ?? []) {
    if (!isOurs(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(unlessMissing)
    if (found !== undefined && found.mtimeMs < Date.now() - olderThanMs) await rm(path, { force: true })
  }
}
