import type { FastifyInstance } from 'fastify'
import { customers } from '../../../../../src/domain/accounts/customers.ts'
import { patch, retrieve, update } from '../../../../../src/resources/handlers.ts'

export default async function customerRoutes (app: FastifyInstance) {
  app.get('/', retrieve(customers))
  app.put('/', update(customers))
  app.patch('/', patch(customers))
}
