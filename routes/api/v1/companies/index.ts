import type { FastifyInstance } from 'fastify'
import { create, list } from '../../../../src/accounts/handlers.ts'
import { companies } from '../../../../src/accounts/companies.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { Company, CompanyBody, CompanyQuery } from './schemas.ts'

export default async function companiesRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'accounts.read' },
    schema: { operationId: 'listCompanies', summary: 'List companies', querystring: CompanyQuery, response: { 200: Paged(Company) } }
  }, list(companies))

  app.post('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'createCompany', summary: 'Create a company', body: CompanyBody, response: { 201: Company } }
  }, create(companies))
}
