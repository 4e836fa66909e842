import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../config/limits.ts'
import { malformedRequest, ValidationError, type Problem } from '../http/errors.ts'
import { listFormats, usualFormats } from '../http/list-formats.ts'
import { replies } from './request-faults.ts'
import { hasTooManyParameters, isDecodable, maxParameters, targetProblems } from './target-problems.ts'

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
  app.addHook('onRequest', (_request, reply, done) => { replies.run(new WeakRef(reply), done) })
  // The body arrives in events of the connection, which have no async context.
  app.addHook('preValidation', (_request, reply, done) => { replies.run(new WeakRef(reply), done) })
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
    if (hasTwoHosts(request.raw)) return done(new ValidationError([{ field: 'Host', key: 'repeatedHeader' }]))
    const problems = headerProblems(request.headers)
    const { originalUrl, routeOptions: { config } } = request
    if (!isUsual(originalUrl)) problems.push(...targetProblems(originalUrl, config?.csv === true ? listFormats : usualFormats))
    done(problems.length === 0 ? undefined : new ValidationError(problems))
  })
}

/** Whether there are several `Host` headers (RFC 9112, §3.2). Node.js keeps the first one, and a proxy can have read another one. */
function hasTwoHosts ({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index].length === 4 && rawHeaders[index].toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

const hostPattern = /^(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether a text is a valid `Host` or `X-Forwarded-Host`, with or without a port (RFC 3986, §3.2.2, without escapes). */
function isHost (text: string): boolean {
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

/**
 * Bounds the headers of a request before anything parses them. Gives a request of tus the method that it asks for: Java's HTTP client
 * cannot send PATCH (https://tus.io/protocols/resumable-upload, X-HTTP-Method-Override).
 * @returns its target for the router, see {@link normalizeTarget}
 */
export function prepareRequest (request: IncomingMessage): string {
  boundHeaders(request)
  const { method, headers } = request
  const wanted = headers['tus-resumable'] === undefined ? undefined : headers['x-http-method-override']
  if (method === 'POST' && wanted === 'PATCH') request.method = 'PATCH'
  return normalizeTarget(request)
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i

/**
 * Path and query of a request target, for routing, links, the page cache and the log. The host of an absolute target (`GET
 * http://host/path`) replaces the `Host` header (RFC 9112, §3.2.2). A fragment, which clients must not send, is removed, as are parameters
 * that mean nothing.
 */
function normalizeTarget ({ url = '/', headers }: IncomingMessage): string {
  let target = url
  if (!url.startsWith('/')) {
    const [, host, rest = url] = absoluteForm.exec(url) ?? []
    if (host !== undefined) headers.host = host
    // The router takes `*` for the root.
    target = rest.startsWith('/') ? rest : `/${rest}`
  }
  const fragment = target.indexOf('#')
  if (fragment !== -1) target = target.slice(0, fragment)
  const start = target.indexOf('?')
  const path = start === -1 ? target : target.slice(0, start)
  const given = start === -1 ? '' : target.slice(start + 1)
  // A parser would need milliseconds for thousands of parameters. `targetProblems` refuses them.
  const query = given.length > maxParameters && hasTooManyParameters(given) ? '' : withoutIgnored(given)
  // The router cannot decode such a path. `targetProblems` refuses it.
  return `${!path.includes('%') || isDecodable(path) ? path : path.replaceAll('%', '%25')}${query === '' ? '' : `?${query}`}`
}

/**
 * A query without `_`, which jQuery adds so that no cache answers, and `format=json`, with which clients of Django REST Framework request
 * JSON. Links do not have them, and they make no other entry in the page cache.
 */
function withoutIgnored (query: string): string {
  if (!/(?:^|&)(?:_|format)(?:[=&]|$)/.test(query)) return query
  return query.split('&').filter(part => part !== '_' && !part.startsWith('_=') && part !== 'format=json').join('&')
}

/** Whether a target has nothing that {@link targetProblems} looks for. */
function isUsual (target: string): boolean {
  return target.length <= maxParameters && !target.includes('%') && !target.includes('format=')
}

/**
 * Maximum characters of a header that can be ignored, and of any other header that is parsed. Maximum values and parameters of both:
 * parsers take a time that grows with their number. Maximum addresses of `X-Forwarded-For` that are read, from its end: no installation
 * has so many proxies.
 */
const { preference: maxPreference, essential: maxHeader, parts: maxParts, forwards: maxForwards } = limits.headers

/**
 * Headers without which the answer is right too: preferences, conditions of reads, and traces (RFC 9110, §§12.1, 13.2.1 and 14.2; RFC 7240,
 * §2; Trace Context, §3.3).
 */
const ignorable = [
  'accept', 'accept-encoding', 'accept-language', 'baggage', 'if-none-match', 'prefer', 'range', 'traceparent', 'tracestate'
] as const

/** Headers that are parsed and whose meaning must not be lost, with the names for messages. */
const essential = [
  ['authorization', 'Authorization'], ['content-encoding', 'Content-Encoding'], ['content-type', 'Content-Type'], ['if-match', 'If-Match'],
  ['last-event-id', 'Last-Event-ID']
] as const

/**
 * Removes what would be costly to parse and can be ignored. A preference with too many parts counts as absent. Of `X-Forwarded-For`, the
 * part that the nearest proxies have written is kept.
 */
function boundHeaders ({ headers }: IncomingMessage): void {
  for (const name of ignorable) if (isTooLong(headers[name], maxPreference)) delete headers[name]
  // Without its condition, a part could be one of another file.
  if (isTooLong(headers['if-range'], maxPreference)) delete headers.range
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = lastParts(forwarded)
}

/** Problems of the headers that cannot be ignored. */
function headerProblems (headers: IncomingHttpHeaders): Problem[] {
  const problems: Problem[] = []
  for (const [name, field] of essential) {
    if (!isTooLong(headers[name], maxHeader)) continue
    problems.push({ field, key: 'headerTooLong', values: { max_length: maxHeader, max_parts: maxParts } })
  }
  return problems
}

function isTooLong (value: string | string[] | undefined, maxLength: number): boolean {
  if (value === undefined) return false
  if (value.length > maxLength || typeof value !== 'string') return true
  // No shorter text has so many separators.
  if (value.length <= maxParts) return false
  let parts = 1
  for (let at = 0; at < value.length; at++) if (isSeparator(value.charCodeAt(at))) parts++
  return parts > maxParts
}

/** A comma or a semicolon. */
function isSeparator (code: number): boolean {
  return code === 0x2c || code === 0x3b
}

function lastParts (list: string): string {
  let start = list.length
  for (let parts = 0; parts < maxForwards && start > 0; parts++) start = list.lastIndexOf(',', start - 1)
  return list.slice(start + 1)
}

/** The pattern of a request's route, with a final slash, or undefined without a route. */
export function routeOf (request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions
  return url === undefined || url.endsWith('/') ? url : `${url}/`
}
