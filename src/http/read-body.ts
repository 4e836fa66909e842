import type { Readable } from 'node:stream'
import { httpError, malformedRequest } from './errors.ts'

/**
 * Reads a request body into one growing buffer. A list of chunks would take hundreds of bytes per chunk, and clients can send chunks of one
 * byte.
 * @param limit in bytes
 * @param declared `Content-Length`, if present
 * @throws {HttpError} 413 as soon as the body or its declared length exceeds the limit; 400 if the client disconnects
 */
export async function readBody (payload: Readable, limit: number, declared?: string): Promise<string> {
  if (Number(declared) > limit) throw httpError(413)
  return await new Promise((resolve, reject) => {
    let body = Buffer.alloc(0)
    let length = 0

    function onData (chunk: Buffer): void {
      if (length + chunk.length > limit) return fail(httpError(413))
      body = appended(body, length, chunk)
      length += chunk.length
    }
    function onEnd (): void {
      resolve(body.toString('utf8', 0, length))
    }
    function fail (error: Error): void {
      payload.off('data', onData).off('end', onEnd)
      reject(error)
    }
    payload.on('data', onData).on('end', onEnd).once('error', () => fail(malformedRequest()))
  })
}

function appended (held: Buffer, length: number, chunk: Buffer): Buffer<ArrayBuffer> {
  const needed = length + chunk.length
  const target = needed <= held.length ? held as Buffer<ArrayBuffer> : Buffer.allocUnsafe(Math.max(needed, 2 * held.length))
  if (target !== held) held.copy(target, 0, 0, length)
  chunk.copy(target, length)
  return target
}
