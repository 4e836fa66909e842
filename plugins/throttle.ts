import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { ApiError } from '../src/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Lets an attempt to log in through unless its address has made too many or its account has failed too often; counts it.
     * @throws {ApiError} 429 with `Retry-After`, or what the attempt throws
     */
    throttleLogIn: <T>(request: FastifyRequest, email: string, attempt: () => Promise<T>) => Promise<T>
  }
}

/** Limits of log-in attempts: all from one address, the failed ones to one account. */
export default fp(async function throttle (app: FastifyInstance, { config }: { config: Config }) {
  await app.register(rateLimit, { global: false })
  const accounts = new WeakMap<FastifyRequest, string>()
  const timeWindow = config.LOGIN_WINDOW_SECONDS * 1000
  const ofAddress = app.createRateLimit({ max: config.LOGIN_ATTEMPTS_PER_ADDRESS, timeWindow, keyGenerator: request => `address ${request.ip}` })
  const ofAccount = app.createRateLimit({ max: config.LOGIN_FAILURES_PER_ACCOUNT, timeWindow, keyGenerator: request => `account ${accounts.get(request)}` })

  app.decorate('throttleLogIn', async (request, email, attempt) => {
    accounts.set(request, email.toLowerCase())
    if (config.RATE_LIMIT === 'on') refuseExceeded(await ofAddress(request))
    // A look that counts nothing: the limit is reached when no failure is left.
    const failures = await ofAccount(request, { increment: false })
    if (!failures.isAllowed && failures.remaining <= 0) throw throttled(failures.ttlInSeconds)
    try {
      return await attempt()
    } catch (error) {
      if (error instanceof ApiError && error.statusCode === 401) await ofAccount(request)
      throw error
    }
  })
}, { name: 'throttle' })

function refuseExceeded (limit: { isAllowed: true } | { isAllowed: false, isExceeded: boolean, ttlInSeconds: number }) {
  if (!limit.isAllowed && limit.isExceeded) throw throttled(limit.ttlInSeconds)
}

function throttled (seconds: number): ApiError {
  const wait = Math.max(1, seconds)
  return new ApiError(429, 'throttled', wait === 1 ? 'throttledWaitOne' : 'throttledWait', { values: { wait }, headers: { 'retry-after': String(wait) } })
}
