import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { httpError } from '../http/errors.ts'
import { refusals } from './refusals.ts'

/** Connections beyond MAX_CONNECTIONS that answer health probes. */
const reserved = 64

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
  app: FastifyInstance, maxConnections: number, isProbe: (request: FastifyRequest) => boolean, grace = 1000
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
    const [[oldest, since] = []] = idle
    if (oldest === undefined || performance.now() - (since as number) < grace) return false
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
    const count = inProgress.get(socket) as number - 1
    inProgress.set(socket, count)
    if (count === 0 && !socket.destroyed && !extra.has(socket)) idle.set(socket, performance.now())
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // For `localhost`, Fastify opens another server per address. It counts a connection of those from its first request on.
    if (!inProgress.has(socket)) count(socket)
    idle.delete(socket)
    inProgress.set(socket, inProgress.get(socket) as number + 1)
    reply.raw.on('close', onResponseClose)
    if (!extra.has(socket)) return done()
    reply.header('connection', 'close')
    if (isProbe(request)) return done()
    refused()
    done(httpError(503))
  })
}
