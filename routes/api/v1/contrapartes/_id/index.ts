import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../../src/domain/contrapartes/resource.ts'
import { patch, remove, retrieve, update } from '../../../../../src/resources/handlers.ts'

export default async function contraparteRoutes (app: FastifyInstance) {
  app.get('/', retrieve(contrapartes))
  app.put('/', update(contrapartes))
  app.patch('/', patch(contrapartes))
  app.delete('/', remove(contrapartes))
}
