import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function contrapartesRoutes (app: FastifyInstance) {
  app.get('/', list(contrapartes))
  app.post('/', create(contrapartes))
}
