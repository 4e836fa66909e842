import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { SigningConfig } from '../src/auth/signing-key.ts'
import { throttled } from '../src/http/errors.ts'
import { addressName } from '../src/limits/caller.ts'
import { namesBy } from '../src/limits/names.ts'
import { addRequests, type Window } from '../src/limits/redis.ts'

/** Requests of one caller in the current window. */
interface Count {
  /** Requests to all processes, as far as this process knows. */
  count: number
  /** Requests to this process that other processes do not know yet. */
  unshared: number
}

/** A caller's rate limit: requests that remain in the window, and seconds until the window ends. */
interface RateLimitState {
  allowed: boolean
  remaining: number
  reset: number
}

/**
 * Sends this process's counts to the other processes. @returns the known totals of all processes
 * @throws if nothing was sent
 */
type Exchange<Name> = (window: Window, unshared: ReadonlyMap<Name, number>) => Promise<ReadonlyMap<Name, number>>

const length = 60_000

/** Limit of callers in memory. Beyond it, the least recently seen caller is evicted. */
const maxCallers = 50_000

/**
 * Counts requests of each caller (a user or an address) in the current minute. Counts are in memory, and processes exchange them
 * afterwards. A caller can exceed the limit by the requests that are not exchanged yet (decision 22).
 */
export class RequestCounts<Name extends string | number = number> {
  readonly #maxPerMinute: number
  #number = 0
  #ends = 0
  #counts: LRUCache<Name, Count>
  #unshared = new Map<Name, Count>()
  #exchanging = false

  /** @param maxPerMinute requests of one caller in a minute */
  constructor (maxPerMinute: number) {
    this.#maxPerMinute = maxPerMinute
    // With `max`, the cache would allocate its arrays for all callers at start.
    this.#counts = new LRUCache({ maxSize: maxCallers, sizeCalculation: () => 1, dispose: (_count, name) => this.#unshared.delete(name) })
  }

  /** Counts a request. */
  count (name: Name, now = Date.now()): RateLimitState {
    this.#turnTo(now)
    let counted = this.#counts.get(name)
    if (counted === undefined) this.#counts.set(name, counted = { count: 0, unshared: 0 })
    counted.count++
    if (counted.unshared++ === 0) this.#unshared.set(name, counted)
    return this.#stateOf(counted.count, now)
  }

  /** Reads a caller's rate limit without counting. `allowed` is about the next request. */
  look (name: Name, now = Date.now()): RateLimitState {
    this.#turnTo(now)
    const { allowed, remaining, reset } = this.#stateOf((this.#counts.get(name)?.count ?? 0) + 1, now)
    return { allowed, remaining: allowed ? remaining + 1 : 0, reset }
  }

  #stateOf (count: number, now: number): RateLimitState {
    const remaining = this.#maxPerMinute - count
    return { allowed: remaining >= 0, remaining: Math.max(0, remaining), reset: Math.ceil((this.#ends - now) / 1000) }
  }

  #turnTo (now: number): void {
    // A clock that was set back starts a new window too. Otherwise the window would last until the clock catches up.
    if (now < this.#ends && now >= this.#ends - length) return
    this.#number = Math.floor(now / length)
    this.#ends = (this.#number + 1) * length
    this.#counts.clear()
    this.#unshared = new Map()
  }

  /** Sends counts to other processes, one exchange at a time. Counts that could not be sent are kept for the next exchange. */
  async exchange (send: Exchange<Name>): Promise<void> {
    const counted = this.#unshared
    if (this.#exchanging || counted.size === 0) return
    this.#exchanging = true
    const unshared = new Map([...counted].map(([name, { unshared }]) => [name, unshared]))
    try {
      const totals = await send({ number: this.#number, length }, unshared)
      for (const [name, sent] of unshared) {
        const mine = counted.get(name)
        if (mine === undefined) continue
        mine.unshared -= sent
        mine.count = (totals.get(name) ?? mine.count - mine.unshared) + mine.unshared
        if (mine.unshared === 0) counted.delete(name)
      }
    } finally {
      this.#exchanging = false
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a rate limit has counted the request. */
    isCounted: boolean
  }
  interface FastifyInstance {
    /**
     * Counts a request of a user with a live session and sets the rate limit headers.
     * @throws {HttpError} 429 with `Retry-After`
     */
    throttleUser: (user: number, reply: FastifyReply) => void
    /**
     * Refuses a request of a user over the rate limit, without counting it. Runs before the session is queried.
     * @throws {HttpError} 429 with `Retry-After`
     */
    refuseThrottledUser: (user: number, reply: FastifyReply) => void
    /**
     * Counts a request without a live session, by its address. Refusals that no other hook has counted count so too.
     * @throws {HttpError} 429 with `Retry-After`
     */
    throttleAddress: (request: FastifyRequest) => void
  }
}

/** Interval in ms at which processes exchange counts. */
const exchangeInterval = 100

/** Rate limits by user or, without a live session, by address. With REDIS_URL, processes share the counts. */
export default fp(async function rateLimit (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const limited = config.RATE_LIMIT === 'on'
  const maxPerMinute = config.API_REQUESTS_PER_MINUTE
  const users = new RequestCounts<number>(maxPerMinute)
  const addresses = new RequestCounts<string>(config.UNAUTHENTICATED_REQUESTS_PER_MINUTE)

  function answerUser ({ allowed, remaining, reset }: RateLimitState, reply: FastifyReply): void {
    reply.header('ratelimit-limit', maxPerMinute).header('ratelimit-remaining', remaining).header('ratelimit-reset', reset)
    if (!allowed) throw throttled(reset)
  }
  app.decorateRequest('isCounted', false)
  app.decorate('throttleUser', function throttleUser (user, reply) {
    reply.request.isCounted = true
    if (limited) answerUser(users.count(user), reply)
  })
  app.decorate('refuseThrottledUser', function refuseThrottledUser (user, reply) {
    if (!limited) return
    const state = users.look(user)
    if (state.allowed) return
    reply.request.isCounted = true
    answerUser(state, reply)
  })
  app.decorate('throttleAddress', function throttleAddress (request: FastifyRequest) {
    request.isCounted = true
    if (!limited) return
    const { allowed, reset } = addresses.count(addressName(request))
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
