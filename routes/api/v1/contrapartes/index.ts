import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function contrapartesRoutes (app: FastifyInstance) {
  app.get('/', list(contrapartes))
  app.post('/', create(contrapartes))
}
