import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { httpError } from '../src/http/errors.ts'
import { Addresses } from '../src/server/addresses.ts'

const base = /^\/api\/v1(\/|$|\?)/

/**
 * Answers requests without a route: 405 with `Allow`, or 204 for OPTIONS, at known addresses, otherwise 404. Under `/api/v1` the caller
 * is authorized first.
 */
export default fp(async function notFoundAnswers (app: FastifyInstance) {
  const addresses = new Addresses()
  let shadowed: ReturnType<Addresses['shadowed']> = new Map()
  app.addHook('onRoute', route => addresses.add(route))
  app.addHook('onReady', async () => { shadowed = addresses.shadowed() })

  // Runs before the body is parsed, so that 401 and 405 come before errors in the body.
  app.addHook('onRequest', (request, reply, done) => {
    // A route with a parameter also matches addresses of other routes, such as `/contracts/bulk/`.
    const path = (request.url.split('?', 1)[0] as string).replace(/\/$/, '')
    if (!request.is404 && shadowed.get(path)?.has(request.method) !== false) return done()
    answer(request, reply).catch(done)
  })

  async function answer (request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const known = addresses.find(request.url)
    if (base.test(request.url)) await app.authorize(request, reply, known?.access ?? 'account')
    if (known === undefined) throw httpError(404)
    reply.header('allow', known.allow)
    if (request.method !== 'OPTIONS') throw httpError(405, { values: { method: request.method } })
    reply.code(204).send()
  }

  app.setNotFoundHandler(async () => { throw httpError(404) })
}, { name: 'not-found', dependencies: ['errors', 'tenant'] })
