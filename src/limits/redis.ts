import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { countersHere, type Counters } from './counters.ts'

/** A time window, the same in all processes. */
export interface Window {
  number: number
  /** Milliseconds. */
  length: number
}

/** Timeout of a command in ms. Rate limits are not worth a longer wait. */
const timeout = 500
const longestPause = 2000
const longest = 2 * 60 * 60 * 1000

/**
 * Connects to Redis and reconnects when the connection is lost. Each loss and return is logged once. Meanwhile commands fail immediately.
 * @param url REDIS_URL
 */
export async function connectRedis (url: string, log: FastifyBaseLogger): Promise<Redis> {
  const redis = await openRedis(url, times => Math.min(100 * times, longestPause))
  let isDown = false
  redis.on('error', ({ message }: Error) => {
    if (!isDown) log.warn({ reason: message }, 'Redis (REDIS_URL) is unreachable, each process counts separately')
    isDown = true
  })
  redis.on('ready', () => {
    if (isDown) log.info('Redis (REDIS_URL) is reachable again, processes share counts')
    isDown = false
  })
  await redis.connect().catch(() => {}) // logged above and retried
  return redis
}

/** Connects to Redis once. @throws {Error} if it cannot be used, also for a wrong password. Ends with the signal */
export async function tryRedis (url: string, signal: AbortSignal): Promise<void> {
  const redis = await openRedis(url, () => null)
  let reason: Error | undefined
  // The error of `connect` only says that the connection is closed.
  redis.on('error', (error: Error) => { reason ??= error })
  signal.addEventListener('abort', () => redis.disconnect())
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}

/** @param retryStrategy the pause in ms after a number of failed attempts; null ends them */
async function openRedis (url: string, retryStrategy: (times: number) => number | null): Promise<Redis> {
  const { Redis } = await import('ioredis')
  return new Redis(url, {
    keyPrefix: 'obra:',
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: timeout,
    retryStrategy
  })
}

/** Counters in Redis, shared by all processes. While Redis is unreachable, the counters of this process apply. */
export function countersInRedis (redis: Redis, kind: string): Counters {
  const here = countersHere()
  const key = (name: string) => `${kind}:${name}`
  return {
    async read (name) {
      try {
        const [count, ttl] = await Promise.all([redis.get(key(name)), redis.pttl(key(name))])
        return { count: Number(count ?? 0), ttl: Math.max(0, ttl) }
      } catch {
        return await here.read(name)
      }
    },
    async add (name, ttl) {
      try {
        // Sets an expiry immediately, in case this process ends before the second command.
        const replies = await redis.multi().incr(key(name)).pexpire(key(name), longest).exec()
        if (replies === null) throw new Error('Redis discarded the commands')
        const [[, count] = []] = replies
        await redis.pexpire(key(name), ttl(Number(count)))
      } catch {
        await here.add(name, ttl)
      }
    },
    async remove (name) {
      await Promise.allSettled([redis.del(key(name)), here.remove(name)])
    }
  }
}

/**
 * Adds this process's requests in a window to the total of all processes.
 * @param kind first part of the key
 * @param nameOf the caller's name in Redis
 * @returns totals by caller. A caller without an answer from Redis is missing: its requests may have been added, so they are not sent
 *   again.
 * @throws if Redis is disconnected, before anything is sent
 */
export async function addRequests<Name> (
  redis: Redis, kind: string, { number, length }: Window, added: ReadonlyMap<Name, number>, nameOf: (name: Name) => string = String
): Promise<Map<Name, number>> {
  if (redis.status !== 'ready') throw new Error('Redis is unreachable')
  const key = `${kind}:${number}`
  const work = redis.pipeline()
  for (const [name, count] of added) work.hincrby(key, nameOf(name), count)
  const results = await work.pexpire(key, 2 * length).exec().catch(() => null) ?? []
  return new Map([...added.keys()].flatMap((name, index): Array<[Name, number]> => {
    const [error, total] = results[index] ?? [new Error('no answer'), 0]
    return error === null ? [[name, Number(total)]] : []
  }))
}
