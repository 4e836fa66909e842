import accepts from '@fastify/accepts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { ApiError } from '../src/errors.ts'
import { messages, type Language } from '../src/language/messages.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers with something other than JSON, which then need not be acceptable. */
    notJson?: boolean
  }

  interface FastifyRequest {
    /** The language of this request's messages. */
    messageLanguage: () => Language
  }
}

const languages = Object.keys(messages) as Language[]

/** What the caller can read: the language of messages by `Accept-Language`, and 406 where `Accept` admits no JSON. */
export default fp(async function language (app: FastifyInstance, { config }: { config: Config }) {
  await app.register(accepts)
  app.decorateRequest('messageLanguage', function (this: FastifyRequest) {
    const fallback = config.DEFAULT_LANGUAGE
    if (this.headers['accept-language'] === undefined) return fallback
    return (this.accepts().language([fallback, ...languages]) || fallback) as Language
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const accept = request.headers.accept
    if (accept === undefined || accept === '*/*' || accept === 'application/json') return done()
    if (request.routeOptions.config?.notJson === true) return done()
    // Parameters (`charset=utf-8`) say nothing of whether it may be JSON, except for `q=0`.
    request.headers.accept = accept.replace(/;(?!\s*q=)[^;,]*/gi, '')
    done(request.accepts().type(['json']) === false ? new ApiError(406, 'not_acceptable', 'notAcceptable') : undefined)
  })
}, { name: 'language' })
