import type { FastifyInstance } from 'fastify'
import { customers } from '../../../../../src/domain/accounts/customers.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function customerRoutes (app: FastifyInstance) {
  app.get('/', retrieve(customers))
  app.put('/', update(customers))
  app.patch('/', patch(customers))
}
