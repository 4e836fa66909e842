import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../src/domain/estimates/resource.ts'
import { patch, remove, retrieve, update } from '../../../../../src/resources/handlers.ts'

export default async function estimateRoutes (app: FastifyInstance) {
  app.get('/', retrieve(estimates))
  app.put('/', update(estimates))
  app.patch('/', patch(estimates))
  app.delete('/', remove(estimates))
}
