import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'

/** Bytes of a part of a file. */
const defaultPartBytes = 64 * 1024

/**
 * Reads a file in parts. It is opened when the first part is requested, so nothing can fail while nobody reads.
 * @param partBytes maximum bytes of a part
 * @throws errors of the operating system, to the reader
 */
export async function * fileParts (path: string, partBytes = defaultPartBytes): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    while (true) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(partBytes))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** The parts of {@link fileParts} as a stream, for libraries that need one. */
export function fileStream (path: string): Readable {
  return listened(Readable.from(fileParts(path), { objectMode: false }))
}

/** The bytes of an open file as a stream, which closes the file, even if nobody reads it. */
export function handleStream (file: FileHandle): Readable {
  return listened(file.createReadStream({ start: 0 }))
}

/**
 * Keeps an error of a stream for its reader. A stream can fail before somebody reads it, or after the last reader has left. Node.js ends
 * the process if an `error` has no listener. A later reader still gets the error, because the stream stays errored.
 */
export function listened<Source extends Readable> (stream: Source): Source {
  return stream.on('error', () => {})
}
