/** Where the bytes of resumable uploads are until all of them have arrived, by the id of the upload. */
export interface PartialStore {
  /** @returns the bytes that are there, from the first one, without a gap; 0 without any */
  sizeOf: (id: string) => Promise<number>
  /**
   * Writes bytes as they arrive. Afterwards they survive a power failure. The bytes before an error of `chunks` are kept.
   * @param offset of the first byte, at most the size
   * @param limit bytes of the whole file. Bytes beyond it are not written.
   * @returns the offset after the last byte, beyond `limit` if there were more bytes
   * @throws an error with the code `ENOENT` if the bytes before `offset` have been removed
   */
  append: (id: string, chunks: AsyncIterable<Buffer>, offset: number, limit: number) => Promise<number>
  /** Reads all bytes, from the first request for them on. @throws an error with the code `ENOENT` without any */
  read: (id: string) => AsyncIterable<Buffer>
  /** Removes bytes, even if there are none. */
  remove: (id: string) => Promise<void>
  /** Removes bytes that no upload names any more. @param olderThanMs no upload has bytes of this age */
  sweep: (olderThanMs: number) => Promise<void>
}
