import type { FastifyInstance } from 'fastify'
import { companies } from '../../../../../src/domain/accounts/companies.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function companyRoutes (app: FastifyInstance) {
  app.get('/', retrieve(companies))
  app.put('/', update(companies))
  app.patch('/', patch(companies))
}
