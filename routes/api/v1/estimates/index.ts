import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../src/estimates/resource.ts'
import { create, list } from '../../../../src/resources/handlers.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { Estimate, EstimateBody, EstimateQuery } from './schemas.ts'

export default async function estimatesRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'listEstimates', summary: 'List estimates', querystring: EstimateQuery, response: { 200: Paged(Estimate) } }
  }, list(estimates))

  app.post('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'createEstimate', summary: 'Create an estimate', body: EstimateBody, response: { 201: Estimate } }
  }, create(estimates))
}
