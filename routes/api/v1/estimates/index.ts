import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function estimatesRoutes (app: FastifyInstance) {
  app.get('/', list(estimates))
  app.post('/', create(estimates))
}
