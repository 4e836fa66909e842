import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { usualFormats } from '../http/list-formats.ts'
import { malformedRequest, nonFieldErrors, type Problem } from '../http/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Scheme and host of the URLs in answers. @throws {ValidationError} 400 for HTTP/1.0 without a host */
    origin: () => string
  }
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
 * not have. After {@link maxProblems}, one that says that there are more.
 * @param formats of the route
 */
export function targetProblems (received: string, formats: readonly string[] = usualFormats): Problem[] {
  const [path = '', ...rest] = received.split('#', 1)[0]?.split('?') ?? []
  const query = rest.join('?')
  const isApi = /^[^?]*\/api\//.test(path)
  if (isDecodable(path) && isDecodable(query) && !(isApi && query.includes('format='))) return []
  const problems = encodingProblems(nonFieldErrors, path)
  for (const part of query.split('&')) {
    const found = parameterProblems(part, isApi ? formats : undefined)
    if (found.length > 0 && problems.length >= maxProblems) return [...problems, { field: nonFieldErrors, key: 'moreProblems' }]
    problems.push(...found)
  }
  return problems
}

/** @param formats undefined outside the API */
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
