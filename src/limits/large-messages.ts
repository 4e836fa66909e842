import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Crowded } from '../database/turn.ts'
import { callerOf } from './caller.ts'
import { HeldBytes } from './held-bytes.ts'

/** Bytes from which a message is large. The connection limit bounds the memory of smaller ones. */
const large = 64 * 1024

/**
 * Limits the memory of large bodies and unread large answers, by caller and in total. Beyond the limit, a body or an answer to a GET is
 * 503. The answer to a write only counts, because the write is done. Register after authentication.
 * @param readTimeout ms in which a large answer must be read, or its connection is closed
 */
export function boundLargeMessages (app: FastifyInstance, readTimeout = 120_000): void {
  const held = new HeldBytes<string>()

  app.addHook('onRequest', (request, { raw }, done) => {
    const bytes = bodyBytes(request)
    if (bytes < large) return done()
    const caller = callerOf(request)
    if (!held.hasRoom(caller, bytes)) return done(new Crowded('large bodies take too much memory'))
    raw.once('close', held.hold(caller, bytes))
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = reply
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    if (bytes < large || raw.closed) return done()
    const caller = callerOf(request)
    if (request.method === 'GET' && !held.hasRoom(caller, bytes)) {
      reply.removeHeader('etag')
      return done(new Crowded('large answers are not read'))
    }
    const end = held.hold(caller, bytes)
    const timer = setTimeout(() => raw.destroy(), readTimeout).unref()
    raw.once('close', () => {
      clearTimeout(timer)
      end()
    })
    done()
  })
}

/** The largest size of a body: its declared length or, if chunked, the route's limit. */
function bodyBytes ({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
}
