import type { FastifyInstance } from 'fastify'
import { webhooks } from '../../../../src/domain/webhooks/resource.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function webhooksRoutes (app: FastifyInstance) {
  app.get('/', list(webhooks))
  app.post('/', create(webhooks))
}
