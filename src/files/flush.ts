import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a file or the entries of a folder to the disk. */
export async function flushPath (path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Together, they share commits of the file system's journal: 0.3 s for a new database, 2 s one after the other. */
const flushedTogether = 16

/** Writes a folder with everything in it to the disk. */
export async function flushTree (folder: string): Promise<void> {
  const paths = [
    folder, ...(await readdir(folder, { recursive: true, withFileTypes: true })).map(({ parentPath, name }) => join(parentPath, name))
  ]
  await Promise.all(Array.from({ length: flushedTogether }, async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await flushPath(path)
  }))
}
