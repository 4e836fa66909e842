import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { httpError } from '../http/errors.ts'

/** A request in progress. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** The request whose work runs. */
export const exchanges = new AsyncLocalStorage<Exchange>()

/**
 * Ends the request whose work has caused an error that nothing caught: with 500 or, if its answer has begun, by closing its connection.
 * Call it in a listener of `uncaughtException`, which runs in the async context of the error.
 * @returns false if the error belongs to no request in progress
 */
export function endFaultyRequest (error: unknown): boolean {
  const { request, reply } = exchanges.getStore() ?? {}
  if (request === undefined || reply === undefined || reply.raw.closed || reply.raw.writableFinished) return false
  request.log.error({ err: error }, 'an error that nothing caught has ended this request')
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy()
  else reply.send(httpError(500))
  return true
}
