import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../../src/domain/contrapartes/resource.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function contraparteRoutes (app: FastifyInstance) {
  app.get('/', retrieve(contrapartes))
  app.put('/', update(contrapartes))
  app.patch('/', patch(contrapartes))
  app.delete('/', remove(contrapartes))
}
