import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from '../config.ts'
import { isProbe, addressOf } from '../limits/caller.ts'

const processId = randomBytes(6).toString('base64url')
let requests = 0

/** The id of a request: its `X-Request-Id`, if that has a short, plain form, or else a new one. */
export function requestId ({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : `${processId}-${(++requests).toString(36)}`
}

/**
 * The request log: one line per request, at its end or when the client disconnects, but none for a successful probe. It contains no query
 * (search text is personal data), no header except the caller's request id, and no body.
 */
export class RequestLog extends LogController {
  readonly #from: number

  /** @param config LOG_REQUESTS, and LOG_LEVEL, which must include `info` */
  constructor ({ LOG_REQUESTS: which, LOG_LEVEL: level }: Pick<Config, 'LOG_REQUESTS' | 'LOG_LEVEL'>) {
    const off = which === 'off' || !['info', 'debug', 'trace'].includes(level)
    super({ disableRequestLogging: off })
    this.#from = off ? Infinity : which === 'errors' ? 400 : 0
  }

  override incomingRequest (request: FastifyRequest, reply: FastifyReply): void {
    if (this.#from === Infinity) return
    const { raw } = reply
    // Fastify calls no `requestCompleted` for a disconnected client.
    raw.on('close', () => {
      if (!raw.writableFinished) reply.log.info(this.#line(request, reply), 'request aborted')
    })
  }

  override requestCompleted (_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode < this.#from) return
    if (isProbe(routeOf(request)) && reply.statusCode < 400) return
    reply.log.info({ ...this.#line(request, reply), status: reply.statusCode }, 'request completed')
  }

  #line (request: FastifyRequest, reply: FastifyReply) {
    const { method, url, caller, tenant } = request
    const route = routeOf(request)
    return {
      method,
      route,
      path: shownPath(url, route),
      ms: Math.round(reply.elapsedTime * 1000) / 1000,
      user: caller?.user,
      company: tenant?.company,
      address: addressOf(request)
    }
  }

  // Fastify's line would contain the complete request, with the query in its URL. The error is sufficient.
  override writeHeadError (error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    reply.log.warn({ err: error }, 'writing the head of an answer failed')
  }
}

const ordinary = /^[a-z\d._-]{0,24}$/

/**
 * The path of a URL for the log, without its query. Parts that are not a short word, number or dash become `*`, because they could be a
 * token.
 * @param route the pattern of the route. Without parameters it equals the path.
 */
export function shownPath (url: string, route?: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (path === route) return path
  return path.split('/', 20).map(part => ordinary.test(part) ? part : '*').join('/')
}

const name = /^(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether a text is a valid `Host` or `X-Forwarded-Host`, with or without a port (RFC 3986, §3.2.2, without escapes). */
export function isHost (text: string): boolean {
  return text.length <= 261 && name.test(text) // a name of 255 characters, and a port
}

/** The pattern of a request's route, with a final slash, or undefined without a route. */
export function routeOf (request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions
  return url === undefined || url.endsWith('/') ? url : `${url}/`
}
