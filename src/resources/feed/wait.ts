import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Longest wait of a request for a change, in seconds. */
const longestWait = 30

/** Seconds that a request wants to wait: `Prefer: wait=N` (RFC 7240, §4.3), at most 30. 0 without it. */
export function preferredWait (prefer: string | string[] | undefined): number {
  const [, seconds = '0'] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(String(prefer ?? '')) ?? []
  return Math.min(Number(seconds), longestWait)
}

/**
 * Waits until the company's revision is another one than at authorization, the time is over, the client disconnects or a shutdown begins.
 * Then authorizes the request again, because session, level and company can have changed.
 * @returns whether a longer wait makes sense: the client is connected, and no shutdown has begun
 * @throws {HttpError} 401, 403, 429
 */
export async function waitForChange (request: FastifyRequest, reply: FastifyReply, seconds: number): Promise<boolean> {
  const { tenant, server } = request
  const over = new AbortController()
  let goesOn = true
  const end = (watches: boolean) => {
    goesOn = watches
    over.abort()
  }
  const leave = () => end(false)
  const unwatch = server.watch(tenant.company, tenant, end)
  reply.raw.once('close', leave)
  try {
    await request.idle(sleep(seconds * 1000, undefined, { signal: over.signal }).catch(() => {}))
  } finally {
    unwatch()
    reply.raw.off('close', leave)
  }
  await server.authorize(request, reply, 'read')
  return goesOn
}
