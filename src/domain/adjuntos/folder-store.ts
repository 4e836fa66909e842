import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, readdir, rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { flushPath } from '../../files/flush.ts'
import { handleStream } from '../../files/streams.ts'
import { tryFolder } from '../../files/try-folder.ts'
import { fileAnswer } from '../../http/send-file.ts'
import { StoreError, type FileAnswer, type FileKey, type FileRequest, type FileStore } from './file-store.ts'
import { unlessMissing, removeOldFiles, sizeOfFile } from './folder-files.ts'
import { isPartial } from './folder-partials.ts'

/** Folder of temporary files and of incomplete resumable uploads. */
export const incoming = 'incoming'

/** Files in a folder, `<company>/<sha256>`. Several processes can share it. */
export class FolderStore implements FileStore {
  readonly place = 'the folder `files` of DATA_DIR'
  readonly #root: string

  /** @param root path of the folder, which need not exist yet */
  constructor (root: string) {
    this.#root = root
  }

  /** The first upload creates the folder. */
  async check (): Promise<void> {
    await tryFolder(join(this.#root, incoming)).catch(({ message }: Error) => {
      const text = `${this.place} cannot be used: ${message}; DATA_DIR must be a folder that the server's user can read and write`
      throw new StoreError(text, { status: undefined, isOutage: false, canBeDone: false })
    })
  }

  close (): void {}

  async temporary (): Promise<string> {
    await this.#folder(incoming)
    return join(this.#root, incoming, randomUUID())
  }

  /** A rename is fast enough for a transaction. */
  async send (): Promise<boolean> {
    return false
  }

  async add (temporary: string, key: FileKey): Promise<void> {
    const folder = await this.#folder(String(key.company))
    await rename(temporary, this.#path(key))
    await flushPath(folder)
    await flushPath(this.#root)
  }

  async remove (key: FileKey): Promise<void> {
    await rm(this.#path(key), { force: true })
  }

  async read (key: FileKey): Promise<Readable | undefined> {
    const file = await open(this.#path(key)).catch(unlessMissing)
    return file && handleStream(file)
  }

  async sizeOf (key: FileKey): Promise<number | undefined> {
    return await sizeOfFile(this.#path(key))
  }

  async * keys (): AsyncIterable<FileKey> {
    for (const company of await readdir(this.#root).catch(unlessMissing) ?? []) {
      if (!/^\d+$/.test(company)) continue
      for await (const { name } of await opendir(join(this.#root, company))) yield { company: Number(company), sha256: name }
    }
  }

  async answer ({ company, sha256 }: FileKey, { method, range }: FileRequest): Promise<FileAnswer | undefined> {
    const request = { method, headers: range === undefined ? {} : { range } } as IncomingMessage // all that the answer reads
    const own = { etag: false, lastModified: false, cacheControl: false, contentType: false }
    const { statusCode, headers, stream } = await fileAnswer(request, `${company}/${sha256}`, { root: this.#root, ...own })
    return statusCode < 400 || statusCode === 416 ? { statusCode, headers, stream } : undefined
  }

  async origin (): Promise<undefined> {}

  async sweep (olderThanMs: number): Promise<void> {
    await removeOldFiles(join(this.#root, incoming), name => !isPartial(name), olderThanMs)
  }

  #path ({ company, sha256 }: FileKey): string {
    return join(this.#root, String(company), sha256)
  }

  /** Creates a folder below the root. */
  async #folder (name: string): Promise<string> {
    if (await mkdir(this.#root, { recursive: true, mode: 0o700 }) !== undefined) await flushPath(join(this.#root, '..'))
    const folder = join(this.#root, name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }
}
