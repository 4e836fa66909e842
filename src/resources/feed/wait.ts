import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../config/limits.ts'

/** Longest wait of a request for a change, in seconds. */
const maxWaitSeconds = limits.connections.changeMs / 1000

/** Seconds that a request wants to wait: `Prefer: wait=N` (RFC 7240, §4.3), at most 30. 0 without it. */
export function preferredWait (prefer: string | string[] | undefined): number {
  const [, seconds = '0'] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(String(prefer ?? '')) ?? []
  return Math.min(Number(seconds), maxWaitSeconds)
}

/**
 * Waits until the company's revision is another one than at authorization, the time is over, the client disconnects or a shutdown begins.
 * Then authorizes the request again: session, level and company can have changed, and `request.tenant` is a new one.
 * @param seconds longest wait
 * @returns whether the client is still connected and no shutdown has begun
 * @throws {HttpError} 401, 403, 429
 */
export async function waitForChange (request: FastifyRequest, reply: FastifyReply, seconds: number): Promise<boolean> {
  const { tenant, server } = request
  server.countWait(request, reply)
  request.beginWait()
  const outcome = await server.watch(tenant.company, tenant, seconds, reply.raw).finally(request.endWait)
  if (reply.raw.destroyed) return false
  await server.authorize(request, reply, 'read', false)
  return outcome !== 'closing' && !reply.raw.destroyed
}
