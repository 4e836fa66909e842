import type { FastifyInstance } from 'fastify'
import { retrieve, update } from '../../../../../src/accounts/handlers.ts'
import { companies } from '../../../../../src/accounts/companies.ts'
import { Company, CompanyBody, CompanyPatch, CompanyRecordQuery } from '../schemas.ts'

export default async function companyRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'accounts.read' },
    schema: { operationId: 'retrieveCompany', summary: 'One company', querystring: CompanyRecordQuery, response: { 200: Company } }
  }, retrieve(companies))

  app.put('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'updateCompany', summary: 'Update a company', body: CompanyBody, response: { 200: Company } }
  }, update(companies))

  app.patch('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateCompany', summary: 'Change some fields of a company', body: CompanyPatch, response: { 200: Company } }
  }, update(companies))
}
