import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Redis } from 'ioredis'
import type { Config } from '../src/config.ts'
import { connectRedis } from '../src/limits/redis.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Redis, with REDIS_URL. */
    redis?: Redis
  }
}

/** Redis, with REDIS_URL. Processes share the counts of rate limits there. */
export default fp(async function redisConnection (app: FastifyInstance, { config }: { config: Config }) {
  if (config.REDIS_URL === undefined) return
  const redis = await connectRedis(config.REDIS_URL, app.log)
  app.decorate('redis', redis)
  app.addHook('onClose', async () => redis.disconnect())
}, { name: 'redis' })
