import { LogController, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { isProbe, routeOf } from '../http/route.ts'

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
