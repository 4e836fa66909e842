import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import type { Config } from '../src/config.ts'
import { httpError } from '../src/http/errors.ts'
import { negotiated, type AnswerType, type MediaType } from '../src/http/media.ts'
import { messages, type Language } from '../src/http/messages.ts'
import { namesIn } from '../src/http/names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route also answers with CSV. */
    csv?: boolean
    /** The media type in which the route also answers. */
    media?: MediaType
    /** Whether the route answers with something other than JSON. Then `Accept` need not allow JSON. */
    notJson?: boolean
  }
  interface FastifyRequest {
    /** The media type of the answer, unless it is an error. */
    answerType: AnswerType
    /** The language of messages in the answer to this request. */
    messageLanguage: () => Language
  }
}

const languages = namesIn(messages)

/**
 * Selects media type and language of each answer. `format`, otherwise `Accept`, selects the media type. If the route has none that `Accept`
 * allows, the answer is 406. `Accept-Language` selects the language of messages, `Content-Language` names it.
 */
export default fp(async function negotiation (app: FastifyInstance, { config }: { config: Config }) {
  app.decorateRequest('answerType', 'application/json')
  app.addHook('onRequest', function selectType (request, _reply, done) {
    const type = typeOf(request)
    if (type !== undefined) request.answerType = type
    done(type === undefined ? httpError(406) : undefined)
  })

  const fallback = config.DEFAULT_LANGUAGE
  // By header, which is short (`boundHeaders`). Browsers send few different ones.
  const known = new LRUCache<string, Language>({ max: 500 })
  app.decorateRequest('messageLanguage', function messageLanguage (this: FastifyRequest) {
    const wanted = this.headers['accept-language']
    if (wanted === undefined) return fallback
    let language = known.get(wanted)
    if (language === undefined) known.set(wanted, language = preferred(wanted, fallback))
    return language
  })
  app.addHook('onSend', function nameLanguage (request, reply, _payload, done) {
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
}, { name: 'negotiation', dependencies: ['cors'] })

/** The language that `Accept-Language` prefers. */
function preferred (wanted: string, fallback: Language): Language {
  // Some operating systems write es_MX.
  const headers = { 'accept-language': wanted.replaceAll('_', '-') }
  return new Negotiator({ headers }).language([fallback, ...languages]) ?? fallback
}

/** @returns undefined if `Accept` allows no media type of the route */
function typeOf (request: FastifyRequest): AnswerType | undefined {
  const { headers: { accept }, originalUrl, query } = request
  // An unknown address has none.
  const config: FastifyContextConfig = request.routeOptions.config ?? {}
  const { csv, notJson } = config
  const { format }: { format?: unknown } = Object(query)
  if (csv === true && format === 'csv') return 'text/csv'
  if (notJson === true || (csv === true && format !== undefined)) return 'application/json'
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json'
  const type = negotiated(accept, offeredTypes(config))
  if (type === undefined) return undefined
  // The query no longer has `format=json`, see `normalizeTarget`.
  return csv === true && /[?&]format=json(?:&|$)/.test(originalUrl) ? 'application/json' : type
}

/** The media types of a route's answers, the default first. */
function offeredTypes ({ csv, media }: FastifyContextConfig): [AnswerType, ...AnswerType[]] {
  return ['application/json', ...csv === true ? ['text/csv'] as const : [], ...media === undefined ? [] : [media]]
}
