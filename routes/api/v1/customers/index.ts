import type { FastifyInstance } from 'fastify'
import { customers } from '../../../../src/domain/accounts/customers.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function customersRoutes (app: FastifyInstance) {
  app.get('/', list(customers))
  app.post('/', create(customers))
}
