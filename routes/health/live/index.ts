import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { kinds } from '../../../src/http/route-kinds.ts'

const Live = Type.Object({
  status: Type.Literal('ok', { description: 'The process responds.' })
}, { title: 'Live', description: 'The process is alive. Nothing else was checked.' })

/** Liveness probe: only shows that the process answers. */
export default async function liveRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/', {
    config: { kind: kinds.probe },
    schema: { operationId: 'checkLive', summary: 'Check liveness', tags: ['health'], response: { 200: Live } }
  }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'ok' as const }
  })
}
