import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { openDatabase, type Database } from '../src/database/database.ts'

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

/** The database that the configuration names, or one that is handed in open; it closes with the server. */
export default fp(async function database (app: FastifyInstance, options: { config: Config, database?: Database }) {
  const database = options.database ?? await openDatabase(options.config, options.config.NODE_ENV === 'production' ? 'refuse' : 'migrate')
  app.decorate('database', database)
  app.addHook('onClose', async () => await database.close())
}, { name: 'database' })
