import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { normalizeEmail } from '../src/accounts/email.ts'
import { passwordAttempts } from '../src/channels.ts'
import type { Config } from '../src/config.ts'
import { ApiError } from '../src/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Lets an attempt to guess a password through unless its address has made too many or its account has failed too often; counts it.
     * @param attempt comes to `undefined` where the password was wrong
     * @throws {ApiError} 429 with `Retry-After`
     */
    throttleLogIn: <T>(request: FastifyRequest, email: string, attempt: () => Promise<T | undefined>) => Promise<T | undefined>
  }
}

const accountsKept = 10_000

/** Limits of log-in attempts: all from one address, the failed ones to one account. */
export default fp(async function throttle (app: FastifyInstance, { config }: { config: Config }) {
  await app.register(rateLimit, { global: false })
  const timeWindow = config.LOGIN_WINDOW_SECONDS * 1000
  const ofAddress = app.createRateLimit({ max: config.LOGIN_ATTEMPTS_PER_ADDRESS, timeWindow, keyGenerator: request => request.ip })
  const failures = new LRUCache<string, number>({ max: accountsKept, ttl: timeWindow, noUpdateTTL: true })
  const underWay = new Map<string, Set<Promise<void>>>()

  /**
   * Waits until fewer attempts are under way than the account has failures left: what is sent all at once gets no more tries than
   * what is sent one after the other, and nothing that would succeed is refused.
   * @returns what ends the attempt
   */
  async function begin (account: string): Promise<() => void> {
    while (true) {
      const left = config.LOGIN_FAILURES_PER_ACCOUNT - (failures.get(account) ?? 0)
      if (left <= 0) throw throttled(Math.ceil(failures.getRemainingTTL(account) / 1000))
      const others = underWay.get(account) ?? new Set()
      if (others.size < left) {
        const { promise, resolve } = Promise.withResolvers<void>()
        underWay.set(account, others.add(promise))
        return () => {
          others.delete(promise)
          if (others.size === 0) underWay.delete(account)
          resolve()
        }
      }
      await Promise.race(others)
    }
  }

  app.decorate('throttleLogIn', async (request, email, attempt) => {
    if (config.RATE_LIMIT === 'on') refuseExceeded(await ofAddress(request))
    const account = normalizeEmail(email)
    const end = await begin(account)
    try {
      const outcome = await attempt()
      passwordAttempts.publish(outcome === undefined ? 'failed' : 'succeeded')
      if (outcome === undefined) failures.set(account, (failures.get(account) ?? 0) + 1)
      return outcome
    } finally {
      end()
    }
  })
}, { name: 'throttle' })

function refuseExceeded (limit: { isAllowed: true } | { isAllowed: false, isExceeded: boolean, ttlInSeconds: number }) {
  if (!limit.isAllowed && limit.isExceeded) throw throttled(limit.ttlInSeconds)
}

function throttled (seconds: number): ApiError {
  passwordAttempts.publish('throttled')
  const wait = Math.max(1, seconds)
  return new ApiError(429, 'throttled', wait === 1 ? 'throttledWaitOne' : 'throttledWait', { values: { wait }, headers: { 'retry-after': String(wait) } })
}
