import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { deprecationHeaders, deprecationsOf, type Deprecation } from '../src/http/deprecation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The notice of a deprecated operation. That of a parameter or field is the keyword `deprecated` of its schema. */
    deprecated?: Deprecation
  }
}

/** Adds `Deprecation` and `Sunset` to all answers, also errors, of routes with a deprecated part. Other routes get no hook. */
export default fp(async function deprecation (app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    const deprecations = deprecationsOf(route.config?.deprecated, route.schema)
    if (deprecations.length === 0) return
    const headers = deprecationHeaders(deprecations)
    const add = async (_request: FastifyRequest, reply: FastifyReply) => { reply.headers(headers) }
    route.onSend = [route.onSend ?? [], add].flat()
    // A stream sends its headers before its answer.
    if (route.sse !== undefined) route.preHandler = [route.preHandler ?? [], add].flat()
  })
}, { name: 'deprecation' })
