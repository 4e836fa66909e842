import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'

const processId = randomBytes(6).toString('base64url')
let requests = 0

/** The id of a request: its own `X-Request-Id`, if that has a short, plain form, or a new one. */
export function requestId ({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : `${processId}-${(++requests).toString(36)}`
}

/**
 * The request log: one line a request, at its end or when its client disconnects; none for a successful probe. It has no query (search text is personal data), no header but the
 * caller's request id, and no body.
 */
export class RequestLog extends LogController {
  readonly #from: number

  /** @param config LOG_REQUESTS, and a LOG_LEVEL that has such lines at all */
  constructor ({ LOG_REQUESTS: which, LOG_LEVEL: level }: Pick<Config, 'LOG_REQUESTS' | 'LOG_LEVEL'>) {
    const off = which === 'off' || !['info', 'debug', 'trace'].includes(level)
    super({ disableRequestLogging: off })
    this.#from = off ? Infinity : which === 'errors' ? 400 : 0
  }

  override incomingRequest (request: FastifyRequest, reply: FastifyReply): void {
    if (this.#from === Infinity) return
    const { raw } = reply
    // Fastify calls no `requestCompleted` for a disconnected client.
    raw.once('close', () => {
      if (!raw.writableFinished) reply.log.info(this.#line(request, reply), 'request aborted')
    })
  }

  override requestCompleted (_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode < this.#from) return
    if (isProbe(routeOf(request)) && reply.statusCode < 400) return
    reply.log.info({ ...this.#line(request, reply), status: reply.statusCode }, 'request completed')
  }

  #line (request: FastifyRequest, reply: FastifyReply) {
    const { method, url, ip: address, caller, tenant } = request
    const route = routeOf(request)
    return { method, route, path: shownPath(url, route), ms: Math.round(reply.elapsedTime * 1000) / 1000, user: caller?.user, company: tenant?.company, address }
  }

  // These have the whole request in them, its address with the query too, and are told by the error that comes with them.
  override writeHeadError (error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    reply.log.warn({ err: error }, 'an answer could not be begun')
  }
}

const ordinary = /^[a-z\d._-]{0,24}$/

/**
 * The path of a URL for the log: without its query, and with `*` for every part that is no short word, number or dash, as no address of ours
 * has: somebody may have put a token there.
 * @param route the pattern that the URL has matched, which is the path itself where it has no parameters
 */
export function shownPath (url: string, route?: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (path === route) return path
  return path.split('/', 20).map(part => ordinary.test(part) ? part : '*').join('/')
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i

/**
 * Path and query of a request target, for routing, links, the page cache and the log. The host of an absolute target
 * (`GET http://host/path`) replaces the `Host` header (RFC 9112, §3.2.2). Removes a fragment, which clients must not send.
 */
export function normalizeTarget ({ url = '/', headers }: IncomingMessage): string {
  let target = url
  if (!url.startsWith('/')) {
    const [, host, rest = ''] = absoluteForm.exec(url) ?? []
    if (host !== undefined) {
      headers.host = host
      target = rest.startsWith('/') ? rest : `/${rest}`
    }
  }
  const fragment = target.indexOf('#')
  if (fragment !== -1) target = target.slice(0, fragment)
  // An undecodable path gets the answer of any unknown path: 401, or 404 in the caller's language.
  return isDecodable(target) ? target : target.replaceAll('%', '%25')
}

function isDecodable (url: string): boolean {
  const [path] = url.split('?', 1) as [string]
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const name = /^(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether a text is a valid `Host` or `X-Forwarded-Host`, with or without a port (RFC 3986, §3.2.2, without escapes). */
export function isHost (text: string): boolean {
  return text.length <= 261 && name.test(text) // a name of 255 characters, and a port
}

/** The pattern of the route that a request has matched, as its address is printed, with the slash; undefined where none has. */
export function routeOf (request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions
  return url === undefined || url.endsWith('/') ? url : `${url}/`
}

const health = /^\/health\//

/** Whether a request is a health probe. */
export function isProbe (route: string | undefined): boolean {
  return route !== undefined && health.test(route)
}
