import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply } from 'fastify'
import { httpError } from '../http/errors.ts'

/**
 * The answer to the request whose work runs. Its connections to the database and their timers have this context too, and outlive it. So the
 * context does not keep the request in memory.
 */
export const replies = new AsyncLocalStorage<WeakRef<FastifyReply>>()

/**
 * Ends the request whose work has caused an error that nothing caught: with 500 or, if its answer has begun, by closing its connection.
 * Call it in a listener of `uncaughtException`, which runs in the async context of the error.
 * @returns false if the error belongs to no request in progress
 */
export function endFaultyRequest (error: unknown): boolean {
  const reply = replies.getStore()?.deref()
  if (reply === undefined || reply.raw.closed || reply.raw.writableFinished) return false
  reply.request.log.error({ err: error }, 'an error that nothing caught has ended this request')
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy()
  else reply.send(httpError(500))
  return true
}
