import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { countersHere, type Counters } from './counters.ts'

/** One of the windows that time is cut into, the same in every process. */
export interface Window {
  number: number
  /** Milliseconds. */
  length: number
}

/** Milliseconds: a limit is not worth waiting longer for. */
const timeout = 500
const longestPause = 2000
const longest = 2 * 60 * 60 * 1000

/**
 * Connects to Redis, and connects again whenever it has been away; says so once each time. Commands fail at once meanwhile.
 * @param url REDIS_URL
 */
export async function connectRedis (url: string, log: FastifyBaseLogger): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    keyPrefix: 'obra:',
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: timeout,
    retryStrategy: times => Math.min(100 * times, longestPause)
  })
  let away = false
  redis.on('error', ({ message }: Error) => {
    if (!away) log.warn({ reason: message }, 'Redis cannot be reached: each process counts for itself')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info('Redis is back: processes count together')
    away = false
  })
  await redis.connect().catch(() => {}) // told above, and tried again
  return redis
}

/** Counters that all processes have in common; while Redis is away, those of this process. */
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
        // Never without an end, whatever happens to this process between the two.
        const [[, count]] = await redis.multi().incr(key(name)).pexpire(key(name), longest).exec() as [[unknown, number]]
        await redis.pexpire(key(name), ttl(count))
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
 * @param kind the first part of the key
 * @param nameOf the caller's name in Redis
 * @returns totals by caller, without callers that Redis did not answer for: it may have added their requests, so they are not sent again
 * @throws if Redis is disconnected: nothing was sent
 */
export async function addRequests<Name> (redis: Redis, kind: string, { number, length }: Window, added: ReadonlyMap<Name, number>, nameOf: (name: Name) => string = String): Promise<Map<Name, number>> {
  if (redis.status !== 'ready') throw new Error('Redis is away')
  const key = `${kind}:${number}`
  const work = redis.pipeline()
  for (const [name, count] of added) work.hincrby(key, nameOf(name), count)
  const results = await work.pexpire(key, 2 * length).exec().catch(() => null) ?? []
  return new Map([...added.keys()].flatMap((name, index): Array<[Name, number]> => {
    const [error, total] = results[index] ?? [new Error('no answer'), 0]
    return error === null ? [[name, total as number]] : []
  }))
}
