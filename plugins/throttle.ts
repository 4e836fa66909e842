import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { normalizeEmail } from '../src/accounts/email.ts'
import { passwordAttempts } from '../src/channels.ts'
import { ApiError } from '../src/errors.ts'
import { countersHere } from '../src/limits/counters.ts'
import { Failures } from '../src/limits/failures.ts'
import { knownAddresses } from '../src/limits/known-addresses.ts'
import { LogInAttempts } from '../src/limits/log-ins.ts'
import { namesBy, type Names } from '../src/limits/names.ts'
import { addRequests, connectRedis, countersInRedis } from '../src/limits/redis.ts'
import { RequestCounts } from '../src/limits/requests.ts'
import type { SigningConfig } from '../src/signing-key.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Lets an attempt to guess a password through unless its address has made too many, or too many have failed at its account or from its address; counts it.
     * @param attempt comes to `undefined` where the password was wrong
     * @throws {ApiError} 429 with `Retry-After`
     */
    throttleLogIn: <T>(request: FastifyRequest, email: string, attempt: () => Promise<T | undefined>) => Promise<T | undefined>
    /**
     * Counts a request of a user, and has the answer say what is left.
     * @throws {ApiError} 429 with `Retry-After`
     */
    throttleUser: (user: number, reply: FastifyReply) => void
  }
}

/** Milliseconds between two times that processes tell each other what users have asked of them. */
const telling = 100
const hour = 60 * 60 * 1000

/** How much more may fail of an account from everywhere than from one address. */
const everywhere = 10

/** Limits: of log-ins, by address and by account; of requests, by user. Counted here or, with REDIS_URL, by all processes together. */
export default fp(async function throttle (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const redis = config.REDIS_URL === undefined ? undefined : await connectRedis(config.REDIS_URL, app.log)
  const first = config.LOGIN_WINDOW_SECONDS * 1000
  const failures = (kind: string, free: number, forgotten: number) => new Failures(redis === undefined ? countersHere() : countersInRedis(redis, kind), { free, first, forgotten })
  const names = [config.JWT_SECRET, config.JWT_SECRET_PREVIOUS].filter(secret => secret !== undefined).map(namesBy) as [Names, ...Names[]]
  const attempts = new LogInAttempts({
    pairs: failures('failures', config.LOGIN_FAILURES_PER_ACCOUNT, first),
    accounts: failures('account-failures', config.LOGIN_FAILURES_PER_ACCOUNT * everywhere, hour),
    addresses: failures('address-failures', config.RATE_LIMIT === 'on' ? config.LOGIN_FAILURES_PER_ADDRESS : Infinity, hour)
  }, knownAddresses(app.database.sql, names), names[0])

  await app.register(rateLimit, { global: false, redis, nameSpace: 'log-ins:', skipOnError: true })
  const ofAddress = app.createRateLimit({ max: config.LOGIN_ATTEMPTS_PER_ADDRESS, timeWindow: first, keyGenerator: request => names[0](normalizeIP(request.ip)) })

  app.decorate('throttleLogIn', async (request, email, attempt) => {
    if (config.RATE_LIMIT === 'on') {
      const limit = await ofAddress(request)
      if (!limit.isAllowed && limit.isExceeded) throw throttledLogIn(limit.ttl)
    }
    const outcome = await attempts.make(normalizeEmail(email), normalizeIP(request.ip), attempt, throttledLogIn)
    passwordAttempts.publish(outcome === undefined ? 'failed' : 'succeeded')
    return outcome
  })

  const most = config.API_REQUESTS_PER_MINUTE
  const counts = new RequestCounts(most)
  app.decorate('throttleUser', config.RATE_LIMIT === 'off'
    ? () => {}
    : (user, reply) => {
        const { allowed, remaining, reset } = counts.count(user)
        reply.header('ratelimit-limit', most).header('ratelimit-remaining', remaining).header('ratelimit-reset', reset)
        if (!allowed) throw throttled(reset)
      })

  if (redis === undefined) return
  const timer = setInterval(() => {
    counts.tell(async (window, untold) => await addRequests(redis, window, untold)).catch(() => {}) // told by the connection
  }, telling).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    redis.disconnect()
  })
}, { name: 'throttle', dependencies: ['database'] })

function throttledLogIn (milliseconds: number): ApiError {
  passwordAttempts.publish('throttled')
  return throttled(Math.ceil(milliseconds / 1000))
}

function throttled (seconds: number): ApiError {
  const wait = Math.max(1, seconds)
  return new ApiError(429, 'throttled', wait === 1 ? 'throttledWaitOne' : 'throttledWait', { values: { wait }, headers: { 'retry-after': String(wait) } })
}
