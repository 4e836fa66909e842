import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { nonFieldErrors, errorList, sayIn } from '../http/errors.ts'
import { message, type MessageKey } from '../http/messages.ts'
import { isTus } from '../http/tus.ts'
import { corsHeaders, corsOrigins } from './cors-headers.ts'

/** Seconds after which a client of tus can continue its upload. */
const retryAfter = 1

const answers: Record<string, [status: string, code: string, key: MessageKey]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'headersTooLarge'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'requestTimeout']
}

/** A connection of Node.js's HTTP server with the answer in progress, an undocumented property. */
type Connection = Socket & { _httpMessage?: ServerResponse | null }

/** An error of the parser, with the bytes that it was parsing. */
type ClientError = Error & { code?: string, rawPacket?: unknown }

/** The configuration of answers. */
type Answering = Pick<Config, 'DEFAULT_LANGUAGE' | 'CORS_ORIGINS'>

/** Time in ms in which a client can read an answer. One that goes on sending would keep its request open. */
const lingerMs = 5000

const waiting = new WeakSet<Socket>()

/**
 * Answers invalid HTTP with the body of other errors. Complete earlier requests on the same connection are answered first, because the
 * client would assign the first answer to the earlier request.
 * @param config DEFAULT_LANGUAGE of the message, because the request's headers are not parsed; CORS_ORIGINS
 */
export function answerClientError (error: ClientError, socket: Connection, config: Answering): void {
  const before = socket._httpMessage
  if (before?.req.complete === true && socket.writable) {
    if (waiting.has(socket)) return
    waiting.add(socket)
    before.once('close', () => {
      waiting.delete(socket)
      answerClientError(error, socket, config)
    })
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const language = config.DEFAULT_LANGUAGE
  const known = answers[error.code ?? '']
  const isLateTus = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && before != null && isTus(before.req)
  const body = known === undefined
    ? { detail: message(language, 'invalidInput'), ...errorList([{ field: nonFieldErrors, key: 'malformedRequest' }], sayIn(language)) }
    : { detail: message(language, known[2]), code: isLateTus ? 'unavailable' : known[1] }
  const text = JSON.stringify(body)
  socket.end([
    `HTTP/1.1 ${isLateTus ? '503 Service Unavailable' : known?.[0] ?? '400 Bad Request'}`,
    ...isLateTus ? [`Retry-After: ${retryAfter}`] : [],
    'Content-Type: application/json; charset=utf-8',
    `Content-Language: ${language}`,
    'X-Content-Type-Options: nosniff',
    ...Object.entries(corsHeaders(originIn(error), corsOrigins(config))).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    '',
    text
  ].join('\r\n'))
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** The header `Origin` in the bytes of a request that was not parsed. */
function originIn ({ rawPacket }: ClientError): string | undefined {
  const head = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  return /\r\norigin:([^\r\n]*)/i.exec(head)?.[1].trim()
}
