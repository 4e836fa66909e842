import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { AppOptions } from '../src/server/app-options.ts'
import type { Database } from '../src/database/database.ts'
import { isolatingPool } from '../src/database/turns/shares.ts'

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

/** Provides `app.database` and closes it with the server. Logs refused connections once, not for each request. */
export default fp(async function database (app: FastifyInstance, { database, config }: AppOptions) {
  app.decorate('database', database)
  const onRefused = (err: Error) => app.log.error({ err }, 'database connections are refused, requests fail with 503')
  const onAccepted = () => app.log.warn('database connections are accepted again')
  app.addHook('onListen', (done) => {
    if (database.kind === 'postgres' && config.DATABASE_POOL < isolatingPool) {
      app.log.warn(`DATABASE_POOL is below ${isolatingPool}: slow requests of one company can delay those of others`)
    }
    done()
  })
  database.check.on('refused', onRefused).on('accepted', onAccepted)
  for (const replica of database.replicas.list) {
    replica.health.on('left', err => app.log.warn({ err, replica: replica.name }, 'replica of DATABASE_REPLICAS is not used'))
    replica.health.on('returned', () => app.log.info({ replica: replica.name }, 'replica of DATABASE_REPLICAS is used'))
  }
  app.addHook('onClose', async () => {
    database.check.off('refused', onRefused).off('accepted', onAccepted)
    await database.close()
  })
}, { name: 'database', dependencies: ['tracing'] })
