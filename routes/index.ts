import type { FastifyInstance } from 'fastify'
import { httpError } from '../src/http/errors.ts'
import { negotiated } from '../src/http/media.ts'
import { pageRoute } from '../src/server/page.ts'
import { startLinks, startPage, startPagePolicy } from '../src/server/start-page.ts'

/** The start page for browsers, and its links as JSON for other clients. */
export default async function startRoutes (app: FastifyInstance) {
  const hasRoute = (url: string) => app.hasRoute({ method: 'GET', url })

  app.get('/', pageRoute, async (request, reply) => {
    app.throttleAddress(request)
    const type = negotiated(request.headers.accept, ['application/json', 'text/html'])
    if (type === undefined) throw httpError(406)
    const language = request.messageLanguage()
    const serves = { docs: hasRoute('/docs'), examples: hasRoute('/example') }
    reply.headers({ vary: 'Accept, Accept-Language', 'content-language': language, 'cache-control': 'no-cache' })
    if (type === 'application/json') return startLinks(language, serves, request.origin())
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': startPagePolicy,
      'referrer-policy': 'no-referrer'
    })
    return startPage(language, serves)
  })
}
