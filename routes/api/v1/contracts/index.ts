import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../src/contracts/resource.ts'
import { create, list } from '../../../../src/resources/handlers.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { Contract, ContractBody, ContractItem, ContractQuery } from './schemas.ts'

export default async function contractsRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'listContracts', summary: 'List contracts', querystring: ContractQuery, response: { 200: Paged(ContractItem) } }
  }, list(contracts))

  app.post('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'createContract', summary: 'Create a contract', body: ContractBody, response: { 201: Contract } }
  }, create(contracts))
}
