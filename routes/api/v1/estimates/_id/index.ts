import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../src/domain/estimates/resource.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function estimateRoutes (app: FastifyInstance) {
  app.get('/', retrieve(estimates))
  app.put('/', update(estimates))
  app.patch('/', patch(estimates))
  app.delete('/', remove(estimates))
}
