import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { malformedRequest } from '../../http/errors.ts'
import { discardBody } from '../../http/request-body.ts'

/** Size and hash of a file. Of one that is too long, the hash is that of its beginning. */
export interface Received {
  bytes: number
  sha256: string
}

/**
 * Reads a file with constant memory, and writes it to a new file, which then survives a power failure.
 * @param path of the new file; without it, the bytes are only hashed
 * @param limit bytes of the file. A longer one is read no further.
 */
export async function receive (chunks: AsyncIterable<Buffer>, path: string | undefined, limit: number): Promise<Received> {
  const hash = createHash('sha256')
  const file = path === undefined ? undefined : await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > limit) break
      hash.update(chunk)
      await file?.appendFile(chunk)
    }
    if (bytes <= limit) await file?.sync()
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file?.close()
  }
}

/** The parts of a body. A reader that stops early gets the rest discarded, because a client that still sends would read no answer. */
export async function * bodyChunks (payload: Readable): AsyncGenerator<Buffer> {
  try {
    // The connection stays open for the answer.
    yield * payload.iterator({ destroyOnReturn: false })
  } catch {
    throw malformedRequest()
  } finally {
    if (payload.readable) await discardBody(payload)
  }
}
