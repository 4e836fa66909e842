import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../src/contrapartes/resource.ts'
import { create, list } from '../../../../src/resources/handlers.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { Contraparte, ContraparteBody, ContraparteQuery } from './schemas.ts'

export default async function contrapartesRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'listContrapartes', summary: 'List counterparties', querystring: ContraparteQuery, response: { 200: Paged(Contraparte) } }
  }, list(contrapartes))

  app.post('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'createContraparte', summary: 'Create a counterparty', body: ContraparteBody, response: { 201: Contraparte } }
  }, create(contrapartes))
}
