import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { httpError } from '../src/http/errors.ts'
import { Addresses } from '../src/server/addresses.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds the 405 of addresses that match the pattern of another route too. Call it after all routes are added. */
    refuseOtherMethods: () => void
  }
}

const base = /^\/api\/v1(\/|$|\?)/

/**
 * Answers requests without a route: 405 with `Allow`, or 204 for OPTIONS, at known addresses, otherwise 404. Under `/api/v1` the caller
 * is authorized first. Requests with a route run nothing of this plugin.
 */
export default fp(async function notFoundAnswers (app: FastifyInstance) {
  const addresses = new Addresses()
  let isComplete = false
  app.addHook('onRoute', route => { if (!isComplete) addresses.add(route) })

  // Runs before the body is parsed, so that 401 and 405 come before errors in the body.
  async function answer (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const known = addresses.find(request.routeOptions.url ?? request.url)
    if (base.test(request.url)) await app.authorize(request, reply, known?.access ?? 'account')
    if (known === undefined) throw httpError(404)
    reply.header('allow', known.allow)
    if (request.method !== 'OPTIONS') throw httpError(405, { values: { method: request.method } })
    return await reply.code(204).send()
  }

  await app.register(async function withoutRoute (scope) {
    scope.addHook('onRequest', answer)
    scope.setNotFoundHandler(refuse)
  })

  app.decorate('refuseOtherMethods', function refuseOtherMethods () {
    isComplete = true
    for (const [url, method] of addresses.shadowed()) {
      app.route({ method, url, schema: { hide: true }, exposeHeadRoute: false, onRequest: answer, handler: refuse })
    }
  })
}, { name: 'not-found', dependencies: ['errors', 'authorization'] })

/** For requests that no hook has answered. */
async function refuse (): Promise<never> {
  throw httpError(404)
}
