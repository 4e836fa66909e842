import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import manifest from '../package.json' with { type: 'json' }
import { migrations } from '../src/database/migrations/index.ts'
import { pageReads } from '../src/database/connection/channels.ts'
import type { Config } from '../src/config.ts'
import {
  compress, digest, digestTag, encodedTag, encodingFor, etag, isFresh, isSameRevision, namedTag, recordTag, sendEncoded, sendJson, urlTag,
  type Encoding, type Revision, type Versioned
} from '../src/http/representation.ts'
import { originOf } from '../src/server/prepare-request.ts'

/** A body to send, and the company's revision in the snapshot of the read. */
interface Read extends Revision {
  body: unknown
  /** The record, if the body is a single one. */
  record?: Versioned
}

/** Another format of the answer at an address. `read` then returns its text or bytes. */
interface AnswerFormat {
  /** Its media type, with `charset` if it is text. */
  type: string
  /** What determines the answer beside the address, such as the language. */
  variant: string
  /** Name of the file in which browsers save it. */
  file?: string
  /** Whether the format is compressed itself, and gets no content coding. */
  isCompressed?: boolean
}

interface CachedPage extends Revision {
  /** Digest of the address, see {@link urlTag}. */
  tag: string
  etag: string
  body: string | Buffer
  /** Compressed bodies, kept from the first cache hit in each coding. */
  encoded?: Partial<Record<Encoding, Buffer>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** SQL that reads the records of the route's resource, or a digest of it. */
    sql?: string
    /** Length from which the route's answers are compressed. Default: 1024. */
    compressFrom?: number
    /** Digest of everything that determines the format of the route's answers. Set for every route. */
    answer?: string
  }
  interface FastifyInstance {
    /** Size of the page cache in bytes, as it estimates it. */
    pageCacheBytes: () => number
  }
  interface FastifyReply {
    /**
     * Answers a GET. Data of the active company: 304 if the caller has this revision, the cached page if it is current, otherwise the
     * result of `read`. Accounts have no revision: `read` always runs, and the ETag is a digest of the body.
     * @param format of an answer that is not JSON
     */
    sendCached: (read: () => Promise<Read>, format?: AnswerFormat) => Promise<FastifyReply>
    /** Answers a GET of data without a revision: always reads, and the ETag is a digest of the body. */
    sendTagged: (answer: Pick<Read, 'body' | 'record'>) => Promise<FastifyReply>
  }
}

/** Estimated bytes of an entry besides body and key: the ETag, the objects, the cache's own lists. */
const entryBytes = 400

/**
 * The page cache. `app.authorize` reads the company's revision after the request arrived. So a page cached at that revision is never older
 * than the request. A later revision can be one that a failover has lost.
 */
export default fp(async function pageCache (app: FastifyInstance, { config }: { config: Config }) {
  // The cache requires a size of at least one byte, in which no page fits.
  const maxSize = Math.max(1, config.PAGE_CACHE_MB * 2 ** 20)
  const pages = new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: sizeOf })
  const recordsSeen = new RecentTags()
  app.decorate('pageCacheBytes', () => pages.calculatedSize)

  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, answer: answerDigest(route.schema?.response, route.config?.sql) }
  })

  app.decorateRequest('origin', originOf(config.PUBLIC_URL))
  app.decorateReply('sendTagged', async function sendTaggedAnswer (this: FastifyReply, answer) {
    return await sendTagged(this, answer)
  })

  app.decorateReply('sendCached', async function sendCached (this: FastifyReply, read, format) {
    const { request } = this
    const { tenant, headers, routeOptions: { config } } = request
    if (tenant === undefined) return await this.sendTagged(await read())
    // No URL has a space.
    const address = `${request.origin()}${request.url}${format === undefined ? '' : ` ${format.type} ${format.variant}`}`
    const key = `${tenant.company} ${address}`
    const kept = pages.get(key)
    const tag = kept?.tag ?? urlTag(address, config.answer as string) // the hook above sets it

    const ifNoneMatch = headers['if-none-match']
    const same = ifNoneMatch === undefined ? undefined : isFresh(ifNoneMatch, tenant.company, tenant, tag)
    if (same !== undefined) {
      pageReads.publish('unchanged')
      return this.code(304).header('etag', same).send()
    }

    const current = kept !== undefined && isSameRevision(kept, tenant) ? kept : undefined
    pageReads.publish(current === undefined ? 'miss' : 'hit')
    const { page, isHit } = current === undefined ? keep(this, key, tag, await read()) : { page: current, isHit: true }
    const accepted = format?.isCompressed === true ? undefined : headers['accept-encoding']
    const encoding = encodingFor(accepted, page.body.length, config.compressFrom)
    // `*` matches any answer. Whether one exists is known only after the read.
    if (ifNoneMatch?.trim() === '*') return this.code(304).header('etag', encodedTag(page.etag, encoding)).send()
    const bytes = encoding && await encodedBody(key, page, encoding, isHit)
    if (format?.file !== undefined) this.header('content-disposition', `inline; filename="${format.file}"`)
    return sendEncoded(this, page.body, page.etag, encoding, bytes, format?.type)
  })

  /**
   * Caches what was read. A single record is cached only at its second read: most records are not read again soon, and to keep them costs
   * more than to read them. Requests of one batch can read the same page: the one that caches it serializes it for the others.
   */
  function keep (reply: FastifyReply, key: string, tag: string, { body, record, ...seen }: Read): { page: CachedPage, isHit: boolean } {
    const kept = pages.get(key)
    if (kept !== undefined && isSameRevision(kept, seen)) return { page: kept, isHit: true }
    const { company } = reply.request.tenant
    const content = Buffer.isBuffer(body) ? body : serialize(reply, body)
    const page = { ...seen, tag, etag: etag(company, seen, tag, record), body: pageBody(content) }
    if (record === undefined || kept !== undefined || recordsSeen.add(tag)) pages.set(key, page)
    return { page, isHit: false }
  }

  async function encodedBody (key: string, page: CachedPage, encoding: Encoding, keep: boolean): Promise<Buffer | undefined> {
    const kept = page.encoded?.[encoding]
    if (kept !== undefined) return kept
    const bytes = await compress(page.body, encoding)
    if (keep && bytes !== undefined && pages.peek(key) === page) {
      pages.set(key, { ...page, encoded: { ...page.encoded, [encoding]: unpooled(bytes) } })
    }
    return bytes
  }
}, { name: 'page-cache', dependencies: ['authorization'] })

/** The tags of recently read records, as hashes. Of the tags of one slot, it knows only the last one. */
export class RecentTags {
  readonly #hashes: Int32Array

  /** @param slots their number, a power of two */
  constructor (slots = 2 ** 14) {
    this.#hashes = new Int32Array(slots)
  }

  /** Adds a tag. @returns whether it was there */
  add (tag: string): boolean {
    let hash = 0
    for (let index = 0; index < tag.length; index++) hash = Math.imul(hash, 31) + tag.charCodeAt(index) | 0
    const slot = hash & this.#hashes.length - 1
    const isKnown = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isKnown
  }
}

/** Pages are kept as bytes, which saves a copy per answer. Records stay strings: thousands of small buffers take more memory. */
function pageBody (content: string | Buffer): string | Buffer {
  return content.length < 4096 ? content : unpooled(content)
}

/** Bytes in memory of their own. A slice of Node's shared pool would keep 64 kB alive. */
function unpooled (content: string | Buffer): Buffer {
  return Buffer.allocUnsafeSlow(Buffer.byteLength(content)).fill(content)
}

/** Estimated bytes of an entry. */
function sizeOf ({ body, encoded = {} }: CachedPage, key: string): number {
  return bytesOf(body) + Object.values(encoded).reduce((sum, bytes) => sum + bytes.length, 0) + key.length + entryBytes
}

/** Bytes of a body in memory. A string takes two bytes per character if it has a character beyond Latin-1. */
function bytesOf (body: string | Buffer): number {
  return typeof body === 'string' && /[\u0100-\uffff]/.test(body) ? 2 * body.length : body.length
}

/** Answers with the body, or 304 if the caller has it. */
async function sendTagged (reply: FastifyReply, { body, record }: Pick<Read, 'body' | 'record'>): Promise<FastifyReply> {
  const { headers } = reply.request
  const text = serialize(reply, body)
  const tag = record === undefined ? digestTag(text) : recordTag(text, record)
  const named = namedTag(headers['if-none-match'], tag)
  if (named === undefined) return await sendJson(reply, text, tag)
  const matched = named === '*' ? encodedTag(tag, encodingFor(headers['accept-encoding'], text.length)) : named
  return reply.code(304).header('etag', matched).send()
}

function serialize (reply: FastifyReply, body: unknown): string {
  // A body with `fields=` is already serialized, see `src/resources/reading`. Others use the route's response schema.
  return typeof body === 'string' ? body : String(reply.serializeInput(Object(body), '200'))
}

/**
 * Digest of everything that determines the format of a route's answers: the release, the last migration (it can change database functions),
 * the response schemas and the SQL of the resource.
 */
function answerDigest (response: unknown, sql = ''): string {
  return digest([manifest.version, migrations.at(-1)?.name, JSON.stringify(response), sql].join('\n'))
}
