import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'

const Check = (description: string) => Type.Unsafe<'ok' | 'failed'>({ type: 'string', enum: ['ok', 'failed'], description })

const Checks = Type.Object({
  database: Check('The database answers in time.'),
  migrations: Check('Every migration that this version knows has run; `failed` also where the database does not answer.'),
  serving: Check('`failed` while the process drains before it ends.')
})

const Ready = Type.Object({
  status: Type.Literal('ok'),
  checks: Checks
}, { title: 'Ready', description: 'Requests can be sent here.' })

const NotReady = Type.Object({
  status: Type.Literal('unavailable'),
  checks: Checks
}, { title: 'NotReady', description: 'Requests should go elsewhere; `Retry-After` says when to ask again. `checks` says why.' })

/** Readiness probe: whether a load balancer can send requests to this process. */
export default async function readyRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/', {
    schema: { operationId: 'checkReady', summary: 'Whether requests can be answered', tags: ['health'], response: { 200: Ready, 503: NotReady } }
  }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const checks = await app.readiness()
    if (Object.values(checks).every(check => check === 'ok')) return { status: 'ok' as const, checks }
    return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', checks })
  })
}
