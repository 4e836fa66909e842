import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Concurrent requests of one connection. A packet can contain thousands, and Node emits them all at once. */
const most = 100

/**
 * Limits pipelined requests of one connection. The last admitted request closes the connection after its answer. Later requests get no
 * answer, and the client repeats them on another connection (RFC 9112, §9.3.2).
 */
export function boundPipelines (app: FastifyInstance): void {
  const underWay = new WeakMap<Socket, number>()

  app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
    const count = (underWay.get(socket) ?? 0) + 1
    if (count > most) return
    if (count === most) reply.header('connection', 'close')
    underWay.set(socket, count === most ? Infinity : count)
    reply.raw.once('close', () => underWay.set(socket, underWay.get(socket) as number - 1))
    done()
  })
}
