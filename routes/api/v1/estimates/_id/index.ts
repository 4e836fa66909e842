import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../src/estimates/resource.ts'
import { remove, retrieve, update } from '../../../../../src/resources/handlers.ts'
import { Estimate, EstimateBody, EstimatePatch, EstimateRecordQuery } from '../schemas.ts'

export default async function estimateRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'retrieveEstimate', summary: 'One estimate', querystring: EstimateRecordQuery, response: { 200: Estimate } }
  }, retrieve(estimates))

  app.put('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'updateEstimate', summary: 'Update an estimate; optional fields that are left out stay as they are', body: EstimateBody, response: { 200: Estimate } }
  }, update(estimates))

  app.patch('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateEstimate', summary: 'Change some fields of an estimate', body: EstimatePatch, response: { 200: Estimate } }
  }, update(estimates))

  app.delete('/', {
    config: { access: 'delete' },
    schema: { operationId: 'deleteEstimate', summary: 'Delete an estimate' }
  }, remove(estimates))
}
