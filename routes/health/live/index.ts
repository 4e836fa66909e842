import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

const Live = Type.Object({
  status: Type.Literal('ok', { description: 'The process answers.' })
}, { title: 'Live', description: 'The process is alive. Nothing else has been looked at.' })

/** Liveness probe: only shows that the process answers. */
export default async function liveRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/', {
    schema: { operationId: 'checkLive', summary: 'Whether the process answers', tags: ['health'], response: { 200: Live } }
  }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' as const }
  })
}
