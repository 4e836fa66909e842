import type { FastifyInstance } from 'fastify'
import { companies } from '../../../../../src/domain/accounts/companies.ts'
import { patch, retrieve, update } from '../../../../../src/resources/handlers.ts'

export default async function companyRoutes (app: FastifyInstance) {
  app.get('/', retrieve(companies))
  app.put('/', update(companies))
  app.patch('/', patch(companies))
}
