import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import type { SigningConfig } from '../src/auth/signing-key.ts'
import { passwordAttempts } from '../src/database/connection/channels.ts'
import { type HttpError, throttled } from '../src/http/errors.ts'
import { addressName } from '../src/limits/caller.ts'
import { countersHere } from '../src/limits/counters.ts'
import { Failures } from '../src/limits/failures.ts'
import { knownAddresses } from '../src/limits/known-addresses.ts'
import { LogInAttempts } from '../src/limits/log-ins.ts'
import { namesBy, type Names } from '../src/limits/names.ts'
import { countersInRedis } from '../src/limits/redis.ts'
import { normalizeEmail } from '../src/resources/validation/email.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Runs an attempt to prove a password, unless its address made too many attempts, or too many failed for its account or address.
     * Counts the attempt.
     * @param attempt gets the email in the form of accounts, and returns `undefined` if the password was wrong
     * @throws {HttpError} 429 with `Retry-After`
     */
    throttleLogIn: <T>(request: FastifyRequest, email: string, attempt: (email: string) => Promise<T | undefined>) => Promise<T | undefined>
  }
}

const hour = 60 * 60 * 1000

/** Failures allowed for an account from all addresses, as a multiple of those allowed from one address. */
const everywhere = limits.rates.failuresOfEmail

/** Limits of log-ins, by address and account. With REDIS_URL all processes share the counts. */
export default fp(async function logIns (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const { redis } = app
  const first = config.LOGIN_WINDOW_SECONDS * 1000
  const countersOf = (kind: string) => redis === undefined ? countersHere() : countersInRedis(redis, kind)
  const failures = (kind: string, free: number, forgotten: number) => new Failures(countersOf(kind), { free, first, forgotten })
  const { JWT_SECRET: key, JWT_SECRET_PREVIOUS: previous } = config
  const names: [Names, ...Names[]] = [namesBy(key), ...previous === undefined ? [] : [namesBy(previous)]]
  const attempts = new LogInAttempts({
    pairs: failures('failures', config.LOGIN_FAILURES_PER_ACCOUNT, first),
    accounts: failures('account-failures', config.LOGIN_FAILURES_PER_ACCOUNT * everywhere, hour),
    addresses: failures('address-failures', config.RATE_LIMIT === 'on' ? config.LOGIN_FAILURES_PER_ADDRESS : Infinity, hour)
  }, knownAddresses(app.database.lone, names), names[0])

  await app.register(rateLimit, { global: false, redis, nameSpace: 'log-ins:', skipOnError: true })
  const ofAddress = app.createRateLimit({
    max: config.LOGIN_ATTEMPTS_PER_ADDRESS,
    timeWindow: first,
    keyGenerator: request => names[0](addressName(request))
  })

  app.decorate('throttleLogIn', async (request, email, attempt) => {
    if (config.RATE_LIMIT === 'on') {
      const limit = await ofAddress(request)
      if (!limit.isAllowed && limit.isExceeded) throw throttledLogIn(limit.ttl)
    }
    const account = normalizeEmail(email) ?? ''
    const outcome = await attempts.make(account, addressName(request), async () => await attempt(account), throttledLogIn)
    passwordAttempts.publish(outcome === undefined ? 'failed' : 'succeeded')
    return outcome
  })
}, { name: 'log-ins', dependencies: ['database', 'redis'] })

function throttledLogIn (milliseconds: number): HttpError {
  passwordAttempts.publish('throttled')
  return throttled(Math.ceil(milliseconds / 1000))
}
