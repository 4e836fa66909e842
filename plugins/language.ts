import accepts from '@fastify/accepts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { httpError } from '../src/http/errors.ts'
import { messages, type Language } from '../src/http/messages.ts'
import '../src/http/media.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers with something other than JSON. Then `Accept` need not allow JSON. */
    notJson?: boolean
  }

  interface FastifyRequest {
    /** The language of messages in the answer to this request. */
    messageLanguage: () => Language
  }
}

const languages = Object.keys(messages) as Language[]

/** Content negotiation: `Accept-Language` selects the language of messages, `Content-Language` names it. 406 if `Accept` excludes JSON. */
export default fp(async function language (app: FastifyInstance, { config }: { config: Config }) {
  await app.register(accepts)
  app.decorateRequest('messageLanguage', function (this: FastifyRequest) {
    const fallback = config.DEFAULT_LANGUAGE
    const wanted = this.headers['accept-language']
    if (wanted === undefined) return fallback
    // Some operating systems write es_MX.
    this.headers['accept-language'] = wanted.replaceAll('_', '-')
    return (this.accepts().language([fallback, ...languages]) || fallback) as Language
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const type = String(reply.getHeader('content-type'))
    const { media } = request.routeOptions.config ?? {}
    if ((type.startsWith('application/json') || (media !== undefined && type.startsWith(media))) && !reply.hasHeader('content-language')) {
      reply.header('content-language', request.messageLanguage())
      const vary = reply.getHeader('vary')
      if (vary === undefined) reply.header('vary', 'Accept-Language')
      else if (!String(vary).includes('Accept-Language')) reply.header('vary', `${String(vary)}, Accept-Language`)
    }
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const accept = request.headers.accept
    if (accept === undefined || accept === '*/*' || accept === 'application/json') return done()
    const { notJson, csv, media } = request.routeOptions.config ?? {}
    if (notJson === true || (csv === true && (request.query as { format?: string }).format !== undefined)) return done()
    // Parameters such as `charset=utf-8` do not matter here, except `q=0`.
    request.headers.accept = accept.replace(/;(?!\s*q=)[^;,]*/gi, '')
    const types = ['json', ...csv === true ? ['text/csv'] : [], ...media === undefined ? [] : [media]]
    done(request.accepts().type(types) === false ? httpError(406) : undefined)
  })
}, { name: 'language', dependencies: ['cors'] })
