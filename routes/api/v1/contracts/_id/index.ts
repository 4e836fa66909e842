import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../../src/contracts/resource.ts'
import { bodyLimits } from '../../../../../src/http/body-limits.ts'
import { remove, retrieve, update } from '../../../../../src/resources/handlers.ts'
import { Contract, ContractBody, ContractPatch, ContractRecordQuery } from '../schemas.ts'

export default async function contractRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'retrieveContract', summary: 'One contract', querystring: ContractRecordQuery, response: { 200: Contract } }
  }, retrieve(contracts))

  app.put('/', {
    config: { access: 'edit' },
    bodyLimit: bodyLimits.nested,
    attachValidation: true,
    schema: { operationId: 'updateContract', summary: 'Update a contract', body: ContractBody, response: { 200: Contract } }
  }, update(contracts))

  app.patch('/', {
    config: { access: 'edit' },
    bodyLimit: bodyLimits.nested,
    attachValidation: true,
    schema: { operationId: 'partialUpdateContract', summary: 'Change some fields of a contract', body: ContractPatch, response: { 200: Contract } }
  }, update(contracts))

  app.delete('/', {
    config: { access: 'delete' },
    schema: { operationId: 'deleteContract', summary: 'Delete a contract', description: 'One that has subcontracts or estimates stays: 409, saying how many of each.' }
  }, remove(contracts))
}
