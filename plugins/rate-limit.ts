import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SigningConfig } from '../src/auth/signing-key.ts'
import { throttled } from '../src/http/errors.ts'
import { namesBy } from '../src/limits/names.ts'
import { addRequests } from '../src/limits/redis.ts'
import { RequestCounts, type Standing } from '../src/limits/requests.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a request of a user with a live session, and sets the rate limit headers.
     * @throws {ApiError} 429 with `Retry-After`
     */
    throttleUser: (user: number, reply: FastifyReply) => void
    /**
     * Refuses a request of a user over the rate limit without counting it, before the query for the session.
     * @throws {ApiError} 429 with `Retry-After`
     */
    refuseThrottledUser: (user: number, reply: FastifyReply) => void
    /**
     * Counts a request without a live session, by its address.
     * @throws {ApiError} 429 with `Retry-After`
     */
    throttleAddress: (request: FastifyRequest) => void
  }
}

/** Milliseconds between two exchanges of request counts with other processes. */
const exchangeInterval = 100

/** Rate limits of requests: by user or, without a live session, by address. With REDIS_URL all processes share the counts. */
export default fp(async function rateLimit (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const limited = config.RATE_LIMIT === 'on'
  const most = config.API_REQUESTS_PER_MINUTE
  const users = new RequestCounts<number>(most)
  const addresses = new RequestCounts<string>(config.UNAUTHENTICATED_REQUESTS_PER_MINUTE)

  function answerUser ({ allowed, remaining, reset }: Standing, reply: FastifyReply): void {
    reply.header('ratelimit-limit', most).header('ratelimit-remaining', remaining).header('ratelimit-reset', reset)
    if (!allowed) throw throttled(reset)
  }
  app.decorate('throttleUser', (user, reply) => {
    if (limited) answerUser(users.count(user), reply)
  })
  app.decorate('refuseThrottledUser', (user, reply) => {
    if (!limited) return
    const standing = users.look(user)
    if (!standing.allowed) answerUser(standing, reply)
  })
  app.decorate('throttleAddress', (request) => {
    if (!limited) return
    const { allowed, reset } = addresses.count(normalizeIP(request.ip))
    if (!allowed) throw throttled(reset)
  })

  const { redis } = app
  if (redis === undefined) return
  const nameOf = namesBy(config.JWT_SECRET)
  const timer = setInterval(() => {
    const shared = [
      users.exchange(async (window, unshared) => await addRequests(redis, 'requests', window, unshared)),
      addresses.exchange(async (window, unshared) => await addRequests(redis, 'unauthenticated', window, unshared, nameOf))
    ]
    for (const exchange of shared) exchange.catch(() => {}) // logged by the connection
  }, exchangeInterval).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}, { name: 'rate-limit', dependencies: ['redis'] })
