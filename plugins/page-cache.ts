import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import manifest from '../package.json' with { type: 'json' }
import { migrations } from '../src/database/migrations/index.ts'
import { pageReads } from '../src/database/channels.ts'
import type { Config } from '../src/config.ts'
import { malformedRequest } from '../src/http/errors.ts'
import { digest, digestTag, etag, isFresh, isNamed, recordTag, urlTag } from '../src/http/etag.ts'

/** A body to answer with, and what it is of. */
export interface Read {
  body: unknown
  /** The company's revision in the snapshot that the body was read in. */
  revision: number
  /** The version of the single record that the body is. */
  version?: number
}

interface Remembered {
  revision: number
  /** Digest of the address, see {@link urlTag}. */
  tag: string
  etag: string
  body: string | Buffer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** SQL that reads the records of the route's resource. */
    sql?: string
    /** Digest of what the route's answers are made from; set for every route. */
    answer?: string
  }
  interface FastifyRequest {
    /** Scheme and host of the URLs in answers. @throws {ValidationError} 400 for HTTP/1.0 without a host */
    origin: () => string
  }
  interface FastifyInstance {
    /** What the page cache takes now, as it counts. */
    pageCacheBytes: () => number
  }
  interface FastifyReply {
    /**
     * Answers a GET. Of the active company's data: 304 if the caller has this revision, from memory if the same was read since the company's
     * last write, else by `read`. Accounts have no revision: `read` comes first, and the ETag is a digest of the body.
     */
    sendCached: (read: () => Promise<Read>) => Promise<FastifyReply>
  }
}

/** What an entry of the page cache takes beside its body and key: the ETag, the objects, the cache's own lists. */
const entryBytes = 400

/**
 * Revision reads. The door has read the company's revision after the request arrived, so an answer remembered at that revision,
 * or a later one, is never older than the request.
 */
export default fp(async function pageCache (app: FastifyInstance, { config }: { config: Config }) {
  // The least size there can be holds nothing.
  const maxSize = Math.max(1, config.PAGE_CACHE_MB * 2 ** 20)
  const pages = new LRUCache<string, Remembered>({ maxSize, sizeCalculation: ({ body }, key) => bytesOf(body) + key.length + entryBytes })
  app.decorate('pageCacheBytes', () => pages.calculatedSize)

  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, answer: answerDigest(route.schema?.response, route.config?.sql) }
  })

  app.decorateRequest('origin', function () {
    if (config.PUBLIC_URL !== undefined) return config.PUBLIC_URL
    if (this.host === '') throw malformedRequest()
    // `X-Forwarded-Proto` may say anything.
    return `${this.protocol === 'https' ? 'https' : 'http'}://${this.host}`
  })

  app.decorateReply('sendCached', async function (this: FastifyReply, read) {
    const { request } = this
    if (request.tenant === undefined) return sendTagged(this, await read())
    const { company, revision } = request.tenant
    const address = request.origin() + request.url
    const key = `${company} ${address}`
    let page = pages.get(key)
    const tag = page?.tag ?? urlTag(address, request.routeOptions.config.answer as string)

    const ifNoneMatch = request.headers['if-none-match']
    if (ifNoneMatch !== undefined) {
      const same = isFresh(ifNoneMatch, company, revision, tag)
      if (same !== undefined) {
        pageReads.publish('unchanged')
        return this.code(304).header('etag', same).send()
      }
    }

    if (page === undefined || page.revision < revision) {
      pageReads.publish('miss')
      const { body, revision: seen, version } = await read()
      // Of those who asked for the same in one turn the first has written it out for all.
      page = pages.get(key)
      if (page === undefined || page.revision < seen) {
        page = { revision: seen, tag, etag: etag(company, seen, tag, version), body: kept(serialize(this, body)) }
        pages.set(key, page)
      }
    } else {
      pageReads.publish('hit')
    }
    // `*` is any answer at all; that there is one was not known before.
    if (ifNoneMatch?.trim() === '*') return this.code(304).header('etag', page.etag).send()
    return this.header('etag', page.etag).type('application/json; charset=utf-8').send(page.body)
  })
}, { name: 'page-cache', dependencies: ['tenant'] })

/** A page is sent as bytes, which need not be copied each time; a record as the string it is: thousands of small buffers take more memory. */
function kept (text: string): string | Buffer {
  return text.length < 4096 ? text : Buffer.from(text)
}

/** Bytes of a body in memory. A string takes two bytes a character if one of them is beyond Latin-1. */
function bytesOf (body: string | Buffer): number {
  return typeof body === 'string' && /[\u0100-\uffff]/.test(body) ? 2 * body.length : body.length
}

/** Answers with the body, or 304 if the caller has it. */
function sendTagged (reply: FastifyReply, { body, version }: Read): FastifyReply {
  const text = serialize(reply, body)
  const tag = version === undefined ? digestTag(text) : recordTag(text, version)
  reply.header('etag', tag)
  if (isNamed(reply.request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

function serialize (reply: FastifyReply, body: unknown): string {
  // A narrowed body (`fields=`) has its own, see the routes; every other is the route's schema's.
  return typeof body === 'string' ? body : reply.serializeInput(body as Record<string, unknown>, '200') as string
}

/**
 * A digest of what a route's answers are made from: the release, the last migration, which can change functions of the database, the
 * response schemas and, for a resource, its SQL.
 */
function answerDigest (response: unknown, sql = ''): string {
  return digest([manifest.version, migrations.at(-1)?.name, JSON.stringify(response), sql].join('\n'))
}
