import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Concurrent requests of one connection. A packet can contain thousands, and Node emits them all at once: others wait meanwhile. */
const most = 20

/** A connection of Node's HTTP server, with its parser: a property that Node does not document. */
type Connection = Socket & { parser?: { onIncoming: () => number } | null }

/** Requests in progress on one connection. */
interface Pipeline {
  responses: Set<ServerResponse>
  /** Whether the last admitted request has arrived. */
  isFull: boolean
}

/**
 * Limits pipelined requests of one connection. The last admitted request closes the connection after its answer. Later requests get no
 * answer, and the client repeats them on another connection (RFC 9112, §9.3.2). Register before hooks that count requests.
 */
export function boundPipelines (app: FastifyInstance): void {
  const pipelines = new WeakMap<Socket, Pipeline>()

  function pipelineOf (socket: Socket): Pipeline {
    let pipeline = pipelines.get(socket)
    if (pipeline === undefined) {
      const { responses } = pipeline = { responses: new Set(), isFull: false }
      pipelines.set(socket, pipeline)
      // Counters rely on `close`. Some releases of Node 24 (24.15) do not emit it for responses that wait for an earlier one.
      socket.once('close', () => setImmediate(() => { for (const response of responses) response.emit('close') }))
    }
    return pipeline
  }

  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const pipeline = pipelineOf(socket)
    const { responses } = pipeline
    if (pipeline.isFull) return discardInput(socket)
    responses.add(response)
    response.once('close', () => responses.delete(response))
    if (responses.size === most) {
      pipeline.isFull = true
      response.setHeader('connection', 'close')
    }
    done()
  })
}

/**
 * Discards the bytes that a connection still sends, so that its requests take no memory. Not reading them would reset the connection
 * at its end, and the client could lose answers (RFC 9112, §9.6).
 */
function discardInput (connection: Connection): void {
  connection.removeAllListeners('data').on('data', () => {})
  // The parser continues to the end of the current packet, which can contain 2,000 requests.
  if (connection.parser != null) connection.parser.onIncoming = () => 0
}
