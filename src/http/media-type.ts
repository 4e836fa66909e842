import type { IncomingMessage } from 'node:http'
import { httpError, type HttpError } from './errors.ts'

const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i

/** Refuses a body in another charset than UTF-8, which JSON requires (RFC 8259, section 8.1). @throws {HttpError} 415 */
export function requireUtf8 (contentType: string | undefined): void {
  const [match, quoted, plain = quoted ?? ''] = charset.exec(contentType ?? '') ?? []
  if (match !== undefined && !/^utf-?8$/i.test(plain)) throw httpError(415, { key: 'unsupportedCharset', values: { charset: plain } })
}

/** Refuses a compressed body. @throws {HttpError} 415 */
export function requireUncompressed (encoding = 'identity'): void {
  const codings = encoding.split(',').map(coding => coding.trim().toLowerCase())
  if (codings.every(coding => coding === '' || coding === 'identity')) return
  throw httpError(415, { key: 'unsupportedEncoding', values: { encoding }, headers: { 'accept-encoding': 'identity' } }) // RFC 9110, section 12.5.3
}

/** The 415 for a media type that is not JSON. */
export function unsupportedType (contentType = ''): HttpError {
  return httpError(415, { values: { media_type: contentType } })
}

/** Whether a request says that it has no body. One with `Transfer-Encoding` can still have an empty one. */
export function hasNoBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}
