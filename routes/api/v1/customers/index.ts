import type { FastifyInstance } from 'fastify'
import { customers } from '../../../../src/domain/accounts/customers.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function customersRoutes (app: FastifyInstance) {
  app.get('/', list(customers))
  app.post('/', create(customers))
}
