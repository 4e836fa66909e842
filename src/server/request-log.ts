import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { addressOf, isProbe } from '../limits/caller.ts'
import { routeOf } from './prepare-request.ts'

/** The log lines of the process about requests. @param config LOG_REQUESTS, and LOG_LEVEL, which must include `info` */
export function requestLog ({ LOG_REQUESTS: which, LOG_LEVEL: level }: Pick<Config, 'LOG_REQUESTS' | 'LOG_LEVEL'>): LogController {
  const isOff = which === 'off' || !['info', 'debug', 'trace'].includes(level)
  return isOff ? new QuietLog({ disableRequestLogging: true }) : new RequestLog(which === 'errors' ? 400 : 0)
}

/** Only errors. */
class QuietLog extends LogController {
  // Fastify's line would contain the complete request, with the query in its URL. The error is sufficient.
  override writeHeadError (error: Error, _request: FastifyRequest, reply: FastifyReply): void {
    reply.log.warn({ err: error }, 'writing the head of an answer failed')
  }
}

/**
 * The request log: one line per request, at its end or when the client disconnects, but none for a successful probe. It contains no query
 * (search text is personal data), no header except the caller's request id, and no body.
 */
class RequestLog extends QuietLog {
  readonly #from: number

  /** @param from lowest status with a line */
  constructor (from: number) {
    super()
    this.#from = from
  }

  override incomingRequest (request: FastifyRequest, reply: FastifyReply): void {
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
