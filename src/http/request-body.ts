import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../config/limits.ts'
import { bodyOverLimit } from './body-limits.ts'
import { httpError, malformedRequest, nonFieldErrors, ValidationError } from './errors.ts'

const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i

/** Refuses a body in another charset than UTF-8, which JSON requires (RFC 8259, section 8.1). @throws {HttpError} 415 */
function requireUtf8 (contentType: string | undefined): void {
  const [match, quoted, plain = quoted ?? ''] = charset.exec(contentType ?? '') ?? []
  if (match !== undefined && !/^utf-?8$/i.test(plain)) throw httpError(415, { key: 'unsupportedCharset', values: { charset: plain } })
}

/** Refuses a compressed body. @throws {HttpError} 415 */
export function requireUncompressed (encoding: string | undefined): void {
  if (encoding === undefined) return
  const codings = encoding.split(',').map(coding => coding.trim().toLowerCase())
  if (codings.every(coding => coding === '' || coding === 'identity')) return
  // RFC 9110, section 12.5.3
  throw httpError(415, { key: 'unsupportedEncoding', values: { encoding }, headers: { 'accept-encoding': 'identity' } })
}

/** Whether a request says that it has no body. One with `Transfer-Encoding` can still have an empty one. */
function hasNoBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/**
 * Hook: removes the media type of a missing body. Fastify refuses media types before it looks for a body, and clients such as axios send
 * one with an empty POST.
 */
export function ignoreMissingBody (request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (hasNoBody(request.raw)) delete request.raw.headers['content-type']
  done()
}

/** Hook: replaces a missing body by `{}`, so that the answer lists the required fields. */
export function replaceMissingBody (request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.body === undefined) request.body = {}
  done()
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body limit in bytes of this request, if it is smaller than that of its route. */
    ownBodyLimit?: number
  }
}

/** A request whose body is read. */
interface Receiver {
  ownBodyLimit?: number
  headers: IncomingMessage['headers']
  routeOptions: { bodyLimit?: number | undefined }
}

/**
 * Finds a fault in the bytes of a body while they arrive.
 * @returns the length of the part of the chunk up to the fault, at the end of a character, or undefined without one
 */
export type FindFault = (chunk: Buffer) => number | undefined

/**
 * Reads the text of a request.
 * @param findFault ends the text at a fault. The rest of the body is read, and not kept.
 * @throws {HttpError} 415 for another charset or a coding, after the body, so that the client gets the answer; as {@link readBody}
 */
export async function readText (
  { headers, routeOptions, ownBodyLimit }: Receiver, payload: IncomingMessage, findFault?: FindFault
): Promise<string> {
  const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = headers
  try {
    requireUtf8(type)
    requireUncompressed(encoding)
  } catch (error) {
    await discardBody(payload, length)
    throw error
  }
  return await readBody(payload, ownBodyLimit ?? routeOptions.bodyLimit ?? limits.bodies.record, length, findFault)
}

/** Maximum bytes that are read of a refused body. */
const maxDiscarded = 1024 * 1024

/**
 * Reads a request body into one growing buffer. A list of chunks would take hundreds of bytes per chunk, and clients can send chunks of one
 * byte.
 * @param limit in bytes
 * @param declared `Content-Length`, if present
 * @param findFault as in {@link readText}
 * @throws {HttpError} 413 if the body exceeds the limit, without its end if it exceeds 1 MiB; 400 if the client disconnects, or the body is
 * not UTF-8
 */
export async function readBody (payload: Readable, limit: number, declared?: string, findFault?: FindFault): Promise<string> {
  if (Number(declared) > limit) {
    await discardBody(payload, declared)
    throw bodyOverLimit(limit)
  }
  return await new Promise((resolve, reject) => {
    let body = Buffer.alloc(0)
    let read = 0
    let kept = 0
    let isFaulty = false

    function onData (chunk: Buffer): void {
      read += chunk.length
      if (read > limit) return refuse()
      if (isFaulty) return
      const end = findFault?.(chunk)
      isFaulty = end !== undefined
      const part = chunk.subarray(0, end)
      body = appended(body, kept, part)
      kept += part.length
    }
    function onEnd (): void {
      const whole = body.subarray(0, kept)
      // Text in another encoding would lose its accents, and two folios could become one.
      if (isUtf8(whole)) resolve(whole.toString())
      else reject(new ValidationError([{ field: nonFieldErrors, key: 'bodyNotUtf8' }]))
    }
    function refuse (): void {
      payload.off('data', onData).off('end', onEnd).off('error', onError)
      discardBody(payload).then(() => reject(bodyOverLimit(limit)), reject)
    }
    function onError (): void {
      reject(malformedRequest())
    }
    payload.on('data', onData).on('end', onEnd).once('error', onError)
  })
}

/**
 * Reads a body without keeping it, to its end or up to {@link maxDiscarded}. After the refusal of a body, its connection closes. A client
 * that still sends could get a connection reset and no answer.
 * @returns whether the rest of the body is empty
 * @throws {ValidationError} if the client disconnects, or has disconnected
 */
export async function discardBody (payload: Readable, declared?: string): Promise<boolean> {
  // A stream emits its last event only once.
  if (payload.readableEnded) return true
  if (payload.destroyed) throw malformedRequest()
  if (Number(declared) > maxDiscarded) {
    payload.resume()
    return false
  }
  return await new Promise((resolve, reject) => {
    let length = 0
    const onLoss = () => reject(malformedRequest())
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > maxDiscarded) resolve(false)
    }).once('end', () => resolve(length === 0)).once('error', onLoss).once('close', onLoss)
  })
}

/** Parses a body of an unknown media type: an empty one, which can be chunked. @throws {HttpError} 415 for another one */
export async function refuseBody ({ headers }: Pick<Receiver, 'headers'>, payload: Readable): Promise<void> {
  const { 'content-type': type = '', 'content-length': length } = headers
  if (!await discardBody(payload, length)) throw httpError(415, { values: { media_type: type } })
}

function appended (held: Buffer<ArrayBuffer>, length: number, chunk: Buffer): Buffer<ArrayBuffer> {
  const needed = length + chunk.length
  const target = needed <= held.length ? held : Buffer.allocUnsafe(Math.max(needed, 2 * held.length))
  if (target !== held) held.copy(target, 0, 0, length)
  chunk.copy(target, length)
  return target
}
