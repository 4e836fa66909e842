import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../src/estimates/resource.ts'
import { remove, retrieve, update } from '../../../../../src/resources/handlers.ts'
import { Estimate, EstimateBody, EstimatePatch, EstimateRecordQuery } from '../schemas.ts'

const states = 'Amounts and period change in `borrador` alone: else 409. To authorize, reject or pay (`autorizada`, `rechazada`, `pagada`) needs the level that deletes.'

export default async function estimateRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'retrieveEstimate', summary: 'One estimate', querystring: EstimateRecordQuery, response: { 200: Estimate } }
  }, retrieve(estimates))

  app.put('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'updateEstimate', summary: 'Update an estimate', description: states, body: EstimateBody, response: { 200: Estimate } }
  }, update(estimates))

  app.patch('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateEstimate', summary: 'Change some fields of an estimate', description: states, body: EstimatePatch, response: { 200: Estimate } }
  }, update(estimates))

  app.delete('/', {
    config: { access: 'delete' },
    schema: { operationId: 'deleteEstimate', summary: 'Delete an estimate', description: 'Only a `borrador`, and only the last of its contract: else 409.' }
  }, remove(estimates))
}
