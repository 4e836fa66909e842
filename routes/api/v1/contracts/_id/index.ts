import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../../src/domain/contracts/resource.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function contractRoutes (app: FastifyInstance) {
  app.get('/', retrieve(contracts))
  app.put('/', update(contracts))
  app.patch('/', patch(contracts))
  app.delete('/', remove(contracts))
}
