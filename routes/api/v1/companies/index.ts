import type { FastifyInstance } from 'fastify'
import { companies } from '../../../../src/domain/accounts/companies.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function companiesRoutes (app: FastifyInstance) {
  app.get('/', list(companies))
  app.post('/', create(companies))
}
