import { constants } from 'node:fs'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { flushPath } from '../../files/flush.ts'
import { fileParts } from '../../files/streams.ts'
import { removeOldFiles, sizeOfFile } from './folder-files.ts'
import type { PartialStore } from './partial-store.ts'

/** The end of the names of files. */
const ending = '.part'

/** Files in a folder, `<id>.part`. Several processes can share it. */
export class FolderPartials implements PartialStore {
  readonly #folder: string

  /** @param folder path, which need not exist yet */
  constructor (folder: string) {
    this.#folder = folder
  }

  async sizeOf (id: string): Promise<number> {
    return await sizeOfFile(this.#path(id)) ?? 0
  }

  async append (id: string, chunks: AsyncIterable<Buffer>, offset: number, limit: number): Promise<number> {
    const isNew = offset === 0
    if (isNew) await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    // Each byte is written at its own offset, so that two requests for the same bytes, also of two processes, do not double them.
    const file = await open(this.#path(id), constants.O_WRONLY | (isNew ? constants.O_CREAT : 0), 0o600)
    try {
      if (isNew) await flushPath(this.#folder)
      let end = offset
      for await (const chunk of chunks) {
        await writeAll(file, chunk.subarray(0, Math.max(0, limit - end)), end)
        end += chunk.length
        if (end > limit) break
      }
      await file.sync()
      return end
    } finally {
      await file.close()
    }
  }

  read (id: string): AsyncIterable<Buffer> {
    return fileParts(this.#path(id))
  }

  async remove (id: string): Promise<void> {
    await rm(this.#path(id), { force: true })
  }

  async sweep (olderThanMs: number): Promise<void> {
    await removeOldFiles(this.#folder, isPartial, olderThanMs)
  }

  #path (id: string): string {
    return join(this.#folder, `${id}${ending}`)
  }
}

/** Whether a file has this name because it belongs to a resumable upload. */
export function isPartial (name: string): boolean {
  return name.endsWith(ending)
}

/** Writes all bytes, even if a call of the system writes fewer. */
async function writeAll (file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten
  }
}
