import type { FastifyInstance } from 'fastify'
import { boundLargeMessages } from '../../../src/limits/connections.ts'

/** Authorizes every request of the API. The server does not start if a route declares no access in its config. */
export default async function authorization (app: FastifyInstance) {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} declares no access`)
  })

  app.addHook('onRequest', app.authorizeRoute)
  boundLargeMessages(app)
}
