import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { normalizeEmail } from '../src/auth/email.ts'
import { passwordAttempts } from '../src/database/channels.ts'
import { httpError, type HttpError } from '../src/http/errors.ts'
import { countersHere } from '../src/limits/counters.ts'
import { Failures } from '../src/limits/failures.ts'
import { knownAddresses } from '../src/limits/known-addresses.ts'
import { LogInAttempts } from '../src/limits/log-ins.ts'
import { namesBy, type Names } from '../src/limits/names.ts'
import { addRequests, connectRedis, countersInRedis } from '../src/limits/redis.ts'
import { RequestCounts, type Standing } from '../src/limits/requests.ts'
import type { SigningConfig } from '../src/auth/signing-key.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Lets an attempt to guess a password through unless its address has made too many, or too many have failed at its account or from its address; counts it.
     * @param attempt comes to `undefined` where the password was wrong
     * @throws {HttpError} 429 with `Retry-After`
     */
    throttleLogIn: <T>(request: FastifyRequest, email: string, attempt: () => Promise<T | undefined>) => Promise<T | undefined>
    /**
     * Counts a request of a user with a live session, and sets the rate limit headers.
     * @throws {HttpError} 429 with `Retry-After`
     */
    throttleUser: (user: number, reply: FastifyReply) => void
    /**
     * Refuses a request of a user over the rate limit without counting it, before the query for the session.
     * @throws {HttpError} 429 with `Retry-After`
     */
    refuseThrottledUser: (user: number, reply: FastifyReply) => void
    /**
     * Counts a request without a live session, by its address.
     * @throws {HttpError} 429 with `Retry-After`
     */
    throttleAddress: (request: FastifyRequest) => void
  }
}

/** Milliseconds between two exchanges of request counts with other processes. */
const exchangeInterval = 100
const hour = 60 * 60 * 1000

/** How much more may fail of an account from everywhere than from one address. */
const everywhere = 10

/**
 * Rate limits: log-ins by address and account, requests by user or, without a live session, by address. With REDIS_URL all processes
 * share the counts.
 */
export default fp(async function throttle (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const redis = config.REDIS_URL === undefined ? undefined : await connectRedis(config.REDIS_URL, app.log)
  const first = config.LOGIN_WINDOW_SECONDS * 1000
  const failures = (kind: string, free: number, forgotten: number) => new Failures(redis === undefined ? countersHere() : countersInRedis(redis, kind), { free, first, forgotten })
  const names = [config.JWT_SECRET, config.JWT_SECRET_PREVIOUS].filter(secret => secret !== undefined).map(namesBy) as [Names, ...Names[]]
  const attempts = new LogInAttempts({
    pairs: failures('failures', config.LOGIN_FAILURES_PER_ACCOUNT, first),
    accounts: failures('account-failures', config.LOGIN_FAILURES_PER_ACCOUNT * everywhere, hour),
    addresses: failures('address-failures', config.RATE_LIMIT === 'on' ? config.LOGIN_FAILURES_PER_ADDRESS : Infinity, hour)
  }, knownAddresses(app.database.lone, names), names[0])

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

  if (redis === undefined) return
  const timer = setInterval(() => {
    const shared = [
      users.exchange(async (window, unshared) => await addRequests(redis, 'requests', window, unshared)),
      addresses.exchange(async (window, unshared) => await addRequests(redis, 'unauthenticated', window, unshared, names[0]))
    ]
    for (const exchange of shared) exchange.catch(() => {}) // logged by the connection
  }, exchangeInterval).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    redis.disconnect()
  })
}, { name: 'throttle', dependencies: ['database'] })

function throttledLogIn (milliseconds: number): HttpError {
  passwordAttempts.publish('throttled')
  return throttled(Math.ceil(milliseconds / 1000))
}

function throttled (seconds: number): HttpError {
  const wait = Math.max(1, seconds)
  return httpError(429, { key: wait === 1 ? 'throttledWaitOne' : 'throttledWait', values: { wait }, headers: { 'retry-after': String(wait) } })
}
