import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../config/limits.ts'
import { Crowded } from '../database/turns/crowded.ts'
import { httpError } from '../http/errors.ts'
import { callerOf } from './caller.ts'
import { refusals } from './refusals.ts'

/** Connections beyond MAX_CONNECTIONS that answer health probes. */
const reserved = limits.connections.probes

/** Longest life in ms of a connection beyond MAX_CONNECTIONS. Longer than the timeout of a readiness probe. */
const longestExtra = 5000

/**
 * Limits the connections of a process. At the limit, a new connection takes the place of the one that has been idle longest. If all others
 * have a request in progress, the new one answers a health probe, and any other request with 503, and is closed. So probes are answered
 * even if clients use up all connections. Register before hooks that answer requests.
 * @param maxConnections connections at the same time
 * @param isProbe whether a request is a health probe
 * @param grace time in ms for a connection's next request. Until then it is not closed to make room
 */
export function limitConnections (
  app: FastifyInstance, maxConnections: number, isProbe: (request: FastifyRequest) => boolean, grace = limits.connections.idleMs
): void {
  const { server } = app
  const refused = refusals(app.log, 'MAX_CONNECTIONS reached, further requests were refused')
  /** Connections without a request, with the time since when, longest first. */
  const idle = new Map<Socket, number>()
  /** Requests in progress of a connection. */
  const inProgress = new WeakMap<Socket, number>()
  /** Connections beyond the limit, oldest first. */
  const extra = new Map<Socket, NodeJS.Timeout>()
  let open = 0

  // The process decides itself which connections to close. This limit is for the moment until they are closed.
  server.maxConnections = maxConnections + 2 * reserved
  server.on('drop', refused)
  server.on('connection', count)

  function count (socket: Socket): void {
    open++
    inProgress.set(socket, 0)
    socket.on('close', onClose)
    if (open - extra.size <= maxConnections || makeRoom()) idle.set(socket, performance.now())
    else addExtra(socket)
  }

  // One listener for all sockets: thousands of connections can wait for changes.
  function onClose (this: Socket): void {
    open--
    idle.delete(this)
    clearTimeout(extra.get(this))
    extra.delete(this)
  }

  /** Closes the connection that has been idle longest. @returns whether there is one */
  function makeRoom (): boolean {
    const [first] = idle
    if (first === undefined) return false
    const [oldest, since] = first
    if (performance.now() - since < grace) return false
    idle.delete(oldest)
    oldest.destroy()
    return true
  }

  function addExtra (socket: Socket): void {
    extra.set(socket, setTimeout(() => socket.destroy(), longestExtra).unref())
    if (extra.size <= reserved) return
    const [[oldest] = []] = extra
    refused()
    oldest?.destroy()
  }

  function onResponseClose (this: { req: { socket: Socket } }): void {
    const { socket } = this.req
    const count = (inProgress.get(socket) ?? 1) - 1
    inProgress.set(socket, count)
    if (count === 0 && !socket.destroyed && !extra.has(socket)) idle.set(socket, performance.now())
  }

  app.addHook('onRequest', function admitConnection (request, reply, done) {
    const { socket } = request.raw
    // For `localhost`, Fastify opens another server per address. It counts a connection of those from its first request on.
    if (!inProgress.has(socket)) count(socket)
    idle.delete(socket)
    inProgress.set(socket, (inProgress.get(socket) ?? 0) + 1)
    reply.raw.on('close', onResponseClose)
    if (!extra.has(socket)) return done()
    reply.header('connection', 'close')
    if (isProbe(request)) return done()
    refused()
    done(httpError(503))
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route's handler reads the body as a stream, which takes no memory. */
    isStreamed?: boolean
  }
}

/** Bytes that one caller, and all callers of this process, may hold. The connection limit bounds the memory of smaller messages. */
const { ofCustomer: maxBytesOfCaller, ofAll: maxBytesOfAll, largeFrom: large } = limits.memory

/**
 * Counts bytes in memory by caller: large bodies of requests in progress, and large answers that the client has not read yet. A slow client
 * keeps them in memory for a long time.
 */
export class HeldBytes<Name> {
  readonly #held = new Map<Name, number>()
  #total = 0

  /**
   * Whether the limits allow more bytes of a caller. A caller's only message may exceed the caller's limit. It may exceed the total limit
   * only if nothing else is held.
   */
  hasRoom (caller: Name, bytes: number): boolean {
    const held = this.#held.get(caller) ?? 0
    return (held === 0 || held + bytes <= maxBytesOfCaller) && (this.#total === 0 || this.#total + bytes <= maxBytesOfAll)
  }

  /** Adds bytes to a caller's count. @returns a function that releases them; call it once */
  hold (caller: Name, bytes: number): () => void {
    this.#change(caller, bytes)
    return () => this.#change(caller, -bytes)
  }

  #change (caller: Name, bytes: number): void {
    this.#total += bytes
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held === 0) this.#held.delete(caller)
    else this.#held.set(caller, held)
  }
}

/**
 * Limits the memory of large bodies and unread large answers, by caller and in total. Beyond the limit, a request with a large body, and a
 * GET with a large answer, get 503. The answer to a write counts, but is always sent, because the write is done. Register after
 * authentication.
 * @param readTimeout ms after which the connection of an unread large answer is closed
 */
export function boundLargeMessages (app: FastifyInstance, readTimeout = limits.memory.readMs): void {
  const held = new HeldBytes<string>()

  app.addHook('onRequest', function holdBody (request, { raw }, done) {
    const bytes = bodyBytes(request)
    if (bytes < large || request.routeOptions.config.isStreamed === true) return done()
    const caller = callerOf(request)
    if (!held.hasRoom(caller, bytes)) return done(new Crowded('large bodies take too much memory'))
    raw.once('close', held.hold(caller, bytes))
    done()
  })

  app.addHook('onSend', function holdAnswer (request, reply, payload, done) {
    const { raw } = reply
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    if (bytes < large || raw.closed) return done()
    const caller = callerOf(request)
    if (request.method === 'GET' && !held.hasRoom(caller, bytes)) {
      reply.removeHeader('etag')
      return done(new Crowded('unread large answers take too much memory'))
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

/**
 * Concurrent requests of one connection. A packet can contain thousands of requests, which Node.js emits without a pause for other work.
 */
const maxPipelined = limits.connections.pipelined

/** A connection of Node.js's HTTP server with its parser, an undocumented property. */
type Connection = Socket & { parser?: { onIncoming: () => number } | null }

/** Requests in progress on one connection. */
interface Pipeline {
  responses: ServerResponse[]
  /** Whether several responses were in progress at once. */
  isShared: boolean
  /** Whether the last admitted request has arrived. */
  isFull: boolean
}

/**
 * Limits pipelined requests of one connection. The connection is closed after the answer to the last admitted request. Later requests get
 * no answer, and the client repeats them on another connection (RFC 9112, §9.3.2). Register before hooks that count requests.
 */
export function boundPipelines (app: FastifyInstance): void {
  const pipelines = new WeakMap<Socket, Pipeline>()

  function pipelineOf (socket: Socket): Pipeline {
    let pipeline = pipelines.get(socket)
    if (pipeline === undefined) pipelines.set(socket, pipeline = { responses: [], isShared: false, isFull: false })
    return pipeline
  }

  // Thousands of connections can wait for changes, so they share these listeners, and `responses` is an array of exact size.
  function onSocketClose (this: Socket): void {
    // Counters rely on `close`. Some releases of Node 24 (24.15) do not emit it for responses that wait for an earlier one.
    setImmediate(() => { for (const response of pipelines.get(this)?.responses ?? []) response.emit('close') })
  }
  function onResponseClose (this: ServerResponse): void {
    const pipeline = pipelineOf(this.req.socket)
    pipeline.responses = pipeline.responses.filter(response => response !== this)
  }

  app.addHook('onRequest', function boundPipeline ({ raw: { socket } }, { raw: response }, done) {
    const pipeline = pipelineOf(socket)
    if (pipeline.isFull) return discardInput(socket)
    pipeline.responses = [...pipeline.responses, response]
    response.on('close', onResponseClose)
    if (pipeline.responses.length > 1 && !pipeline.isShared) {
      pipeline.isShared = true
      socket.on('close', onSocketClose)
    }
    if (pipeline.responses.length === maxPipelined) {
      pipeline.isFull = true
      response.setHeader('connection', 'close')
    }
    done()
  })
}

/**
 * Discards the remaining input of a connection, so that it takes no memory. Not reading it would reset the connection when it closes, and
 * the client could lose answers (RFC 9112, §9.6).
 */
function discardInput (connection: Connection): void {
  connection.removeAllListeners('data').on('data', () => {})
  // The parser continues to the end of the current packet, which can contain 2,000 requests.
  if (connection.parser != null) connection.parser.onIncoming = () => 0
}
