import type { FastifyInstance } from 'fastify'
import { httpError } from '../src/http/errors.ts'
import { negotiated } from '../src/http/media.ts'
import { pageRoute } from '../src/server/page.ts'
import { startPage, startPagePolicy } from '../src/server/start-page.ts'

/** The start page for browsers. For other clients the address is unknown, and their 404 is JSON. */
export default async function startRoutes (app: FastifyInstance) {
  const serves = (url: string) => app.hasRoute({ method: 'GET', url })

  app.get('/', pageRoute, async (request, reply) => {
    app.throttleAddress(request)
    reply.header('vary', 'Accept, Accept-Language')
    if (negotiated(request.headers.accept, ['application/json', 'text/html']) !== 'text/html') throw httpError(404)
    const language = request.messageLanguage()
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': startPagePolicy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache'
    })
    return startPage(language, { docs: serves('/docs'), examples: serves('/example') })
  })
}
