import type { FastifyInstance } from 'fastify'
import type { Access } from '../../../src/access.ts'
import { boundLargeMessages } from '../../../src/limits/large-messages.ts'

/**
 * The one door of the API. Every route under it declares in its config what it asks of its caller, or the server does not
 * start.
 */
export default async function door (app: FastifyInstance) {
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.access === undefined) throw new Error(`${String(method)} ${url} declares no access`)
  })

  app.addHook('onRequest', async (request, reply) => {
    await app.enter(request, reply, request.routeOptions.config.access as Access)
  })
  boundLargeMessages(app)
}
