import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { malformedRequest, nonFieldErrors, ValidationError, type Problem } from '../http/errors.ts'
import { listFormats, usualFormats } from '../http/list-formats.ts'
import { addressOf, isProbe } from '../limits/caller.ts'
import { exchanges } from './request-faults.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme and host of the URLs in answers. @throws {ValidationError} 400 for HTTP/1.0 without a host */
    origin: () => string
  }
}

const processId = randomBytes(6).toString('base64url')
let requests = 0

/** The id of a request: its `X-Request-Id`, if that has a short, plain form, or else a new one. */
export function requestId ({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : `${processId}-${(++requests).toString(36)}`
}

/** Makes the request of an uncaught error known to `endFaultyRequest`. Register before hooks that begin work. */
export function followRequests (app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => { exchanges.run({ request, reply }, done) })
  // The body arrives in events of the connection, which have no async context.
  app.addHook('preValidation', (request, reply, done) => { exchanges.run({ request, reply }, done) })
}

/**
 * Gives each answer the id of its request and the security headers, and refuses requests with an invalid host or target. Register before
 * the hooks of plugins.
 */
export function checkRequests (app: FastifyInstance, securityHeaders: Record<string, string>): void {
  app.addHook('onRequest', function checkRequest (request, reply, done) {
    reply.headers(securityHeaders).header('x-request-id', request.id)
    // Links contain the host. HTTP/1.0 allows requests without one.
    if (!isHost(request.host) && (request.host !== '' || request.headers.host !== undefined)) return done(malformedRequest())
    const problems = targetProblems(request.originalUrl, request.routeOptions.config?.csv === true ? listFormats : usualFormats)
    done(problems.length === 0 ? undefined : new ValidationError(problems))
  })
}

const hostPattern = /^(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether a text is a valid `Host` or `X-Forwarded-Host`, with or without a port (RFC 3986, §3.2.2, without escapes). */
export function isHost (text: string): boolean {
  return text.length <= 261 && hostPattern.test(text) // a name of 255 characters, and a port
}

/** Makes {@link FastifyRequest.origin}. @param publicUrl PUBLIC_URL, which replaces the scheme and host of requests */
export function originOf (publicUrl: string | undefined): (this: FastifyRequest) => string {
  return function origin () {
    if (publicUrl !== undefined) return publicUrl
    if (this.host === '') throw malformedRequest()
    // `X-Forwarded-Proto` can have any value.
    return `${this.protocol === 'https' ? 'https' : 'http'}://${this.host}`
  }
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i

/**
 * Path and query of a request target, for routing, links, the page cache and the log. The host of an absolute target (`GET
 * http://host/path`) replaces the `Host` header (RFC 9112, §3.2.2). A fragment, which clients must not send, is removed, as are parameters
 * that mean nothing.
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
  const start = target.indexOf('?')
  const path = start === -1 ? target : target.slice(0, start)
  const query = start === -1 ? '' : withoutIgnored(target.slice(start + 1))
  // The router cannot decode such a path. `targetProblems` refuses it.
  return `${isDecodable(path) ? path : path.replaceAll('%', '%25')}${query === '' ? '' : `?${query}`}`
}

/**
 * A query without `_`, which jQuery adds so that no cache answers, and `format=json`, with which clients of Django REST Framework request
 * JSON. Links do not have them, and they make no other entry in the page cache.
 */
function withoutIgnored (query: string): string {
  if (!/(?:^|&)(?:_|format)(?:[=&]|$)/.test(query)) return query
  return query.split('&').filter(part => part !== '_' && !part.startsWith('_=') && part !== 'format=json').join('&')
}

/** Maximum problems of one target. Each one costs an exception of `decodeURIComponent`, and a URL can have thousands. */
const maxProblems = 20

/**
 * Problems of a target as received: percent-encoding that is malformed or not of UTF-8, by parameter, and a format that the route does
 * not have. Also a format beside `format=json`, which {@link normalizeTarget} removes, so that the schema does not see that there are two.
 * After {@link maxProblems}, one that says that there are more.
 * @param formats of the route
 */
export function targetProblems (received: string, formats: readonly string[] = usualFormats): Problem[] {
  const [path = '', ...rest] = received.split('#', 1)[0]?.split('?') ?? []
  const query = rest.join('?')
  const isApi = /^[^?]*\/api\//.test(path)
  if (isDecodable(path) && isDecodable(query) && !(isApi && query.includes('format='))) return []
  const problems = encodingProblems(nonFieldErrors, path)
  const asked = isApi ? new URLSearchParams(query).getAll('format') : []
  const isRepeated = asked.length > 1 && asked.some(format => format !== 'json')
  if (isRepeated) problems.push({ field: 'format', key: 'repeatedParameter' })
  for (const part of query.split('&')) {
    const found = parameterProblems(part, isApi && !isRepeated ? formats : undefined)
    if (found.length > 0 && problems.length >= maxProblems) return [...problems, { field: nonFieldErrors, key: 'moreProblems' }]
    problems.push(...found)
  }
  return problems
}

/** @param formats the choices of `format`. Undefined if the value does not matter */
function parameterProblems (part: string, formats: readonly string[] | undefined): Problem[] {
  const [name = '', ...values] = part.split('=')
  const value = values.join('=')
  const field = isDecodable(name) ? decodeURIComponent(name) : name
  if (formats !== undefined && field === 'format' && isDecodable(value) && !formats.includes(decodeURIComponent(value))) {
    return [{ field, key: 'invalidChoiceOf', values: { input: decodeURIComponent(value), choices: formats } }]
  }
  return encodingProblems(field, part)
}

function encodingProblems (field: string, text: string): Problem[] {
  if (isDecodable(text)) return []
  return [{ field, key: /%(?![\da-f]{2})/i.test(text) ? 'percentEncoding' : 'notUtf8' }]
}

function isDecodable (text: string): boolean {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
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

/** The pattern of a request's route, with a final slash, or undefined without a route. */
export function routeOf (request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions
  return url === undefined || url.endsWith('/') ? url : `${url}/`
}
