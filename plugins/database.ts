import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from '../src/database/database.ts'

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

/** The database, handed in open; it closes with the server. */
export default fp(async function database (app: FastifyInstance, { database }: { database: Database }) {
  app.decorate('database', database)
  app.addHook('onClose', async () => await database.close())
}, { name: 'database' })
