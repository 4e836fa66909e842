import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../../src/contrapartes/resource.ts'
import { remove, retrieve, update } from '../../../../../src/resources/handlers.ts'
import { Contraparte, ContraparteBody, ContrapartePatch, ContraparteRecordQuery } from '../schemas.ts'

export default async function contraparteRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'retrieveContraparte', summary: 'One counterparty', querystring: ContraparteRecordQuery, response: { 200: Contraparte } }
  }, retrieve(contrapartes))

  app.put('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'updateContraparte', summary: 'Update a counterparty', body: ContraparteBody, response: { 200: Contraparte } }
  }, update(contrapartes))

  app.patch('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateContraparte', summary: 'Change some fields of a counterparty', body: ContrapartePatch, response: { 200: Contraparte } }
  }, update(contrapartes))

  app.delete('/', {
    config: { access: 'delete' },
    schema: { operationId: 'deleteContraparte', summary: 'Delete a counterparty', description: 'One that contracts use stays: 409, saying how many.' }
  }, remove(contrapartes))
}
