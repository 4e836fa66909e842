import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { kinds } from '../../../src/http/route-kinds.ts'
import { Choice } from '../../../src/resources/declaration/schemas.ts'

const Check = (description: string) => Choice(['ok', 'failed'], { title: 'CheckResult', description })

const Checks = Type.Object({
  database: Check('`ok` if the database responds in time.'),
  migrations: Check('`ok` if all migrations of this version have run; `failed` also while the database does not respond.'),
  serving: Check('`failed` while the process shuts down.')
})

const Ready = Type.Object({
  status: Type.Literal('ok'),
  checks: Checks
}, { title: 'Ready', description: 'The process can serve requests.' })

const NotReady = Type.Object({
  status: Type.Literal('unavailable'),
  checks: Checks
}, {
  title: 'NotReady',
  description: 'The process cannot serve requests. `checks` has the reason; `Retry-After` says when to check again.'
})

/** Readiness probe: whether a load balancer can send requests to this process. */
export default async function readyRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.get('/', {
    config: { kind: kinds.probe },
    schema: { operationId: 'checkReady', summary: 'Check readiness', tags: ['health'], response: { 200: Ready, 503: NotReady } }
  }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const checks = await app.readiness()
    if (Object.values(checks).every(check => check === 'ok')) return { status: 'ok' as const, checks }
    return reply.code(503).header('retry-after', '1').send({ status: 'unavailable', checks })
  })
}
