import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Longest wait of a request for a change, in seconds. */
export const longestWait = 30

/** Seconds that a request wants to wait: `Prefer: wait=N` (RFC 7240, §4.3), at most {@link longestWait}. 0 without it. */
export function preferredWait (prefer: string | string[] | undefined): number {
  const [, seconds = '0'] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(String(prefer ?? '')) ?? []
  return Math.min(Number(seconds), longestWait)
}

/** Waits until the company's revision is another one than at authorization, the time is over, the client disconnects or a shutdown begins. */
export async function waitForChange (request: FastifyRequest, reply: FastifyReply, seconds: number): Promise<void> {
  const { tenant, server } = request
  const over = new AbortController()
  const end = () => over.abort()
  const unwatch = server.watch(tenant.company, tenant, end)
  reply.raw.once('close', end)
  try {
    await request.idle(sleep(seconds * 1000, undefined, { signal: over.signal }).catch(() => {}))
  } finally {
    unwatch()
    reply.raw.off('close', end)
  }
}
