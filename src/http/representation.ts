import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'

/** A content coding of answers. */
export type Encoding = 'zstd' | 'br' | 'gzip'

/** Content codings, the preferred one first. */
export const encodings: readonly Encoding[] = ['zstd', 'br', 'gzip']

/** Length from which answers are compressed. Smaller ones would save less than a packet. */
const defaultThreshold = 1024

const negotiator = new Negotiator<Encoding | 'identity'>({
  supportedValues: [...encodings, 'identity'], cache: new LRUCache<string, string>({ max: 100 })
})

/** @returns the coding for this `Accept-Encoding` and a body of this length, or undefined for none, also below the threshold */
export function encodingFor (accepted: string | string[] | undefined, length: number, threshold = defaultThreshold): Encoding | undefined {
  if (length < threshold || typeof accepted !== 'string') return undefined
  const encoding = negotiator.negotiate(accepted.toLowerCase())
  return encoding === null || encoding === 'identity' ? undefined : encoding
}

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Only pages of the change feed are compressed below the threshold, and kept compressed. 20 µs more save 8 bytes of one packet. */
const shortZstd = { params: { [constants.ZSTD_c_compressionLevel]: 15 } }

const small: Record<Encoding, (body: string | Buffer) => Buffer> = {
  zstd: body => zstdCompressSync(body, body.length < defaultThreshold ? shortZstd : {}),
  br: body => brotliCompressSync(body, quality),
  gzip: body => gzipSync(body)
}
const large: Record<Encoding, (body: string | Buffer) => Promise<Buffer>> = {
  zstd: promisify(zstdCompress),
  br: async body => await promisify(brotliCompress)(body, quality),
  gzip: promisify(gzip)
}

/** Bodies from this length are compressed in a worker thread. Shorter ones compress as fast in this one. */
const largeLength = 32_768

let isBusy = false

/**
 * Compresses a body. Large ones use one thread at a time, because log-ins use the other threads.
 * @returns undefined if that thread is busy. The body is then sent without a coding.
 */
export async function compress (body: string | Buffer, encoding: Encoding): Promise<Buffer | undefined> {
  if (body.length < largeLength) return small[encoding](body)
  if (isBusy) return undefined
  isBusy = true
  try {
    return await large[encoding](body)
  } finally {
    isBusy = false
  }
}

/** A body that never changes, compressed once in each coding. */
export class Compressed {
  readonly bytes: Buffer
  readonly #encoded: Partial<Record<Encoding, Promise<Buffer>>> = {}

  constructor (bytes: Buffer) {
    this.bytes = bytes
  }

  /** The body in a coding. */
  async in (encoding: Encoding): Promise<Buffer> {
    return await (this.#encoded[encoding] ??= large[encoding](this.bytes))
  }
}

/**
 * A short digest of a URL and of the source of its answer. So an ETag is valid for one address, and only until a release changes the
 * answer.
 * @param source digest of the route's answer, see `plugins/page-cache.ts`
 */
export function urlTag (url: string, source: string): string {
  return hash('sha1', source + url, 'base64url').slice(0, 8)
}

/**
 * A revision of a company, and the microsecond at which it was raised. A restored database gives out a revision again, with another stamp.
 */
export interface Revision {
  revision: number
  stamp: number
}

/** Only the revision, of a row of the database or of an object that has it. */
export function revisionOf ({ revision, stamp }: Record<string, any> | Revision): Revision {
  return { revision, stamp }
}

/** Whether two revisions are the same: also raised at the same moment. */
export function isSameRevision (a: Revision, b: Revision): boolean {
  return a.revision === b.revision && a.stamp === b.stamp
}

/** A record's version, and the time of its last change: a restored database gives out a version again, with another time. */
export interface Versioned {
  version: number
  updated_at: string
}

/** Only the version and its time, of a row of the database. */
export function versionOf ({ version, updated_at: at }: Record<string, any>): Versioned {
  return { version, updated_at: at }
}

const versionPart = ({ version, updated_at: at }: Versioned) =>
  `${version}.${(Date.parse(at) * 1000 + Number(at.slice(23, -1))).toString(36)}`

/** The parts of an ETag with which `If-None-Match` is compared. */
const revisionParts = (company: number, { revision, stamp }: Revision, tag: string) =>
  `"${company}.${revision}.${stamp.toString(36)}.${tag}.`

/** An ETag: company, revision, its stamp, address and, for a single record, its version. Every change of an answer changes one of them. */
export function etag (company: number, revision: Revision, tag: string, record?: Versioned): string {
  return `${revisionParts(company, revision, tag)}${record === undefined ? '' : versionPart(record)}"`
}

/** The ETag of a compressed answer. It differs, because its bytes do. */
export function encodedTag (tag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? tag : `${tag.slice(0, -1)}-${encoding}"`
}

const encodingOfTag = new RegExp(`-(${encodings.join('|')})"$`)

/** @returns the ETag in `If-None-Match` with this company, revision and address, in any content coding, if there is one */
export function isFresh (ifNoneMatch: string, company: number, revision: Revision, tag: string): string | undefined {
  const prefix = revisionParts(company, revision, tag)
  return ifNoneMatch.split(',').map(part => part.trim().replace(/^W\//, '')).find(part =>
    part.startsWith(prefix) && /^(\d+\.\w+)?"$/.test(part.slice(prefix.length).replace(encodingOfTag, '"')))
}

/** Whether the caller has seen this state of a record. */
export type Precondition = (record: Versioned) => boolean

/**
 * The precondition of `If-Match`: the record has the version of one of the ETags. Other changes of the company do not matter. Weak ETags
 * are accepted, because proxies that compress answers make them weak.
 */
export function versionPrecondition (ifMatch: string | undefined): Precondition {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true
  const versions = new Set(
    ifMatch.split(',').map(part => /^(?:W\/)?"\d+\.\d+\.\w+\.[\w-]+\.(\d+\.\w+)"$/.exec(part.trim().replace(encodingOfTag, '"'))?.[1])
  )
  return record => versions.has(versionPart(record))
}

/** The ETag of an answer without a revision: a digest of its bytes. */
export function digestTag (body: string): string {
  return `"${digest(body)}"`
}

/**
 * The ETag of a single record by a digest of its bytes. It has the format of other records' ETags, because `If-Match` reads the version
 * from it.
 * @param of company and revision of the record; omitted for accounts
 */
export function recordTag (
  body: string, record: Versioned, of: Revision & { company: number } = { company: 0, revision: 0, stamp: 0 }
): string {
  return etag(of.company, of, digest(body), record)
}

/** SHA-1 of a text, in base64url. */
export function digest (body: string): string {
  return hash('sha1', body, 'base64url')
}

/** @returns the ETag in `If-None-Match` that is this one in any content coding, or `*`, if there is one */
export function namedTag (ifNoneMatch: string | undefined, tag: string): string | undefined {
  return ifNoneMatch?.split(',').map(part => part.trim().replace(/^W\//, '')).find(part =>
    part === tag || part.replace(encodingOfTag, '"') === tag || part === '*')
}

/** Sends JSON, compressed as the request accepts. @param tag its ETag without a content coding */
export async function sendJson (reply: FastifyReply, text: string | Buffer, tag?: string): Promise<FastifyReply> {
  const encoding = encodingFor(reply.request.headers['accept-encoding'], text.length)
  return sendEncoded(reply, text, tag, encoding, encoding && await compress(text, encoding))
}

/**
 * Sends a body or, if there are any, its compressed bytes, with the ETag of what it sends.
 * @param type its media type, with `charset` if it is text
 */
export function sendEncoded (
  reply: FastifyReply, text: string | Buffer, tag: string | undefined, encoding: Encoding | undefined, bytes: Buffer | undefined,
  type = 'application/json; charset=utf-8'
): FastifyReply {
  reply.type(type)
  const coding = bytes === undefined ? undefined : encoding
  if (tag !== undefined) reply.header('etag', encodedTag(tag, coding))
  if (coding !== undefined) reply.header('content-encoding', coding)
  return reply.send(bytes ?? text)
}
