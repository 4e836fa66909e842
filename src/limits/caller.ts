import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** Names the caller that limits apply to. Users of one customer count as one caller, so that one customer cannot use up the total limit. */
export function callerOf ({ caller, ip }: FastifyRequest): string {
  if (caller === undefined) return normalizeIP(ip)
  return caller.customer == null ? `user ${caller.user}` : `customer ${caller.customer}`
}
