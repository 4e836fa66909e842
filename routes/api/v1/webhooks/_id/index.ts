import type { FastifyInstance } from 'fastify'
import { webhooks } from '../../../../../src/domain/webhooks/resource.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function webhookRoutes (app: FastifyInstance) {
  app.get('/', retrieve(webhooks))
  app.put('/', update(webhooks))
  app.patch('/', patch(webhooks))
  app.delete('/', remove(webhooks))
}
