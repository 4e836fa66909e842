import { createHash, randomUUID, type Hash } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { handleStream } from '../files/streams.ts'

/** Maximum bytes of one text, and of all open texts together. */
interface SpoolLimits {
  perText: number
  total: number
}

/** Why a text cannot be written: it is too long, the open texts are too long together, or the operating system has refused. */
export type SpoolReason = keyof typeof reasons

const reasons = {
  text: 'the text is too long',
  total: 'the open texts are too long together',
  system: 'a temporary file cannot be written'
}

/** A text that cannot be written. After it, the text can only be closed. */
export class SpoolError extends Error {
  readonly reason: SpoolReason

  constructor (reason: SpoolReason, options?: ErrorOptions) {
    super(reasons[reason], options)
    this.reason = reason
  }
}

/** Texts in temporary files, with limits on their bytes. */
export class Spools {
  readonly limits: SpoolLimits
  #bytes = 0

  constructor (limits: SpoolLimits) {
    this.limits = limits
  }

  /** Bytes of all open texts. */
  get bytes (): number {
    return this.#bytes
  }

  /** @throws {SpoolError} `system` */
  async create (): Promise<Spool> {
    return new Spool(this, await bySystem(openUnnamed))
  }

  /** Counts bytes that a text adds to its own. @throws {SpoolError} `text`, `total` */
  reserve (bytes: number, own: number): void {
    if (own + bytes > this.limits.perText) throw new SpoolError('text')
    if (this.#bytes + bytes > this.limits.total) throw new SpoolError('total')
    this.#bytes += bytes
  }

  /** Gives bytes back. */
  release (bytes: number): void {
    this.#bytes -= bytes
  }
}

/** A text that is written to a temporary file, and sent when it is complete. Its bytes count until it is closed, or its stream is. */
export class Spool {
  readonly #spools: Spools
  readonly #file: FileHandle
  #hash: Hash = createHash('sha1')
  #bytes = 0

  /** @param file without a name */
  constructor (spools: Spools, file: FileHandle) {
    this.#spools = spools
    this.#file = file
  }

  /** Size of the text in bytes. */
  get bytes (): number {
    return this.#bytes
  }

  /** Appends text. @throws {SpoolError} */
  async write (text: string): Promise<void> {
    const bytes = Buffer.from(text)
    const start = this.#bytes
    this.#spools.reserve(bytes.length, start)
    this.#bytes += bytes.length
    this.#hash.update(bytes)
    await bySystem(async () => await writeAll(this.#file, bytes, start))
  }

  /** Discards the text. @throws {SpoolError} `system` */
  async restart (): Promise<void> {
    await bySystem(async () => await this.#file.truncate())
    this.#release()
    this.#hash = createHash('sha1')
  }

  /** Digest of the text, in base64url. Call it once. */
  digest (): string {
    return this.#hash.digest('base64url')
  }

  /** The text as a stream, which closes it. */
  stream (): Readable {
    return handleStream(this.#file).once('close', () => this.#release())
  }

  async close (): Promise<void> {
    this.#release()
    await this.#file.close()
  }

  #release (): void {
    this.#spools.release(this.#bytes)
    this.#bytes = 0
  }
}

/** Opens a file without a name, so it ends with its last reader, even if the process is killed. */
async function openUnnamed (): Promise<FileHandle> {
  const path = join(tmpdir(), `obra-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Writes bytes at a position. The operating system can write less than all of them in one call. */
async function writeAll (file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let start = 0; start < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, start, bytes.length - start, position + start)
    if (bytesWritten === 0) throw new Error('the operating system has written no bytes')
    start += bytesWritten
  }
}

/** @throws {SpoolError} `system` with the error of `work` */
async function bySystem<T> (work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new SpoolError('system', { cause })
  }
}
