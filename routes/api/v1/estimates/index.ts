import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function estimatesRoutes (app: FastifyInstance) {
  app.get('/', list(estimates))
  app.post('/', create(estimates))
}
