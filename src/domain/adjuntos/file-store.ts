import type { Readable } from 'node:stream'

/** The bytes of a company, by their hash. Equal bytes of two companies are two files. */
export interface FileKey {
  company: number
  sha256: string
}

/** A GET or HEAD of stored bytes. */
export interface FileRequest {
  method: string
  /** The header `Range`. */
  range: string | undefined
  /** Bytes of the file. */
  bytes: number
  /** Headers of the file, which a redirect must carry. */
  headers: { 'content-type': string, 'content-disposition': string }
}

/** The part of an HTTP answer that depends on where the bytes are. */
export interface FileAnswer {
  statusCode: number
  headers: Record<string, string>
  /** Absent in a redirect. */
  stream?: Readable
}

/** Where the bytes of files are stored. */
export interface FileStore {
  /** Where the bytes are, in messages to operators. */
  readonly place: string
  /** Checks that the place can be used, and logs a warning if it does not answer now. @throws {StoreError} if it refuses */
  check: () => Promise<void>
  /** @returns the path of a new temporary file of this machine for the bytes of an upload. The caller removes it. */
  temporary: () => Promise<string>
  /**
   * Sends a complete temporary file, if that takes longer than a transaction may last.
   * @returns whether the bytes are stored now, under their key
   * @throws {StoreError}
   */
  send: (temporary: string, key: FileKey) => Promise<boolean>
  /**
   * Stores a temporary file that is complete and sent. Afterwards the bytes survive a power failure. Runs in the last transaction.
   * @throws {Crowded} if the bytes were removed since they were sent
   */
  add: (temporary: string, key: FileKey) => Promise<void>
  /** Removes bytes, even if there are none. */
  remove: (key: FileKey) => Promise<void>
  /** @returns the stored bytes; undefined without any */
  read: (key: FileKey) => Promise<Readable | undefined>
  /** @returns the size of stored bytes; undefined without any */
  sizeOf: (key: FileKey) => Promise<number | undefined>
  /** All stored bytes. */
  keys: () => AsyncIterable<FileKey>
  /** @returns status 200, 206, 302 or 416; undefined without bytes */
  answer: (key: FileKey, request: FileRequest) => Promise<FileAnswer | undefined>
  /** @returns the origin to which answers redirect; undefined if they have the bytes themselves */
  origin: () => Promise<string | undefined>
  /** Removes temporary files that a killed process left behind. @param olderThanMs no upload writes to a file of this age */
  sweep: (olderThanMs: number) => Promise<void>
  /** Closes connections. */
  close: () => void
}

/** The service that stores the files does not answer, or refuses. */
export class StoreError extends Error {
  /** Status of its answer; undefined without one. */
  readonly status: number | undefined
  /** Whether it fails only for some time. */
  readonly isOutage: boolean
  /** Whether it can have done what it was asked, or can do it later. */
  readonly canBeDone: boolean

  constructor (text: string, { status, isOutage, canBeDone }: Pick<StoreError, 'status' | 'isOutage' | 'canBeDone'>) {
    super(text)
    this.status = status
    this.isOutage = isOutage
    this.canBeDone = canBeDone
  }
}
