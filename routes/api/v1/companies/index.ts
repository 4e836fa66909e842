import type { FastifyInstance } from 'fastify'
import { companies } from '../../../../src/domain/accounts/companies.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function companiesRoutes (app: FastifyInstance) {
  app.get('/', list(companies))
  app.post('/', create(companies))
}
