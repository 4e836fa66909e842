import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { httpError, malformedRequest, nonFieldErrors, ValidationError } from './errors.ts'

/**
 * Reads a request body into one growing buffer. A list of chunks would take hundreds of bytes per chunk, and clients can send chunks of one
 * byte.
 * @param limit in bytes
 * @param declared `Content-Length`, if present
 * @throws {HttpError} 413 as soon as the body or its declared length exceeds the limit; 400 if the client disconnects, or the body is not UTF-8
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
      const whole = body.subarray(0, length)
      // Text in another encoding would lose its accents, and two folios could become one.
      if (isUtf8(whole)) resolve(whole.toString())
      else reject(new ValidationError([{ field: nonFieldErrors, key: 'bodyNotUtf8' }]))
    }
    function fail (error: Error): void {
      payload.off('data', onData).off('end', onEnd)
      reject(error)
    }
    payload.on('data', onData).on('end', onEnd).once('error', () => fail(malformedRequest()))
  })
}

/** Waits for the first byte of a body, or its end. @throws {ValidationError} if the client disconnects */
export async function isEmpty (payload: Readable): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    payload.once('data', () => {
      payload.pause()
      resolve(false)
    }).once('end', () => resolve(true)).once('error', () => reject(malformedRequest()))
  })
}

function appended (held: Buffer, length: number, chunk: Buffer): Buffer<ArrayBuffer> {
  const needed = length + chunk.length
  const target = needed <= held.length ? held as Buffer<ArrayBuffer> : Buffer.allocUnsafe(Math.max(needed, 2 * held.length))
  if (target !== held) held.copy(target, 0, 0, length)
  chunk.copy(target, length)
  return target
}
