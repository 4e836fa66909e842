import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../../src/contracts/resource.ts'
import { bulk, bulkOptions } from '../../../../../src/resources/handlers.ts'
import { Contract, ContractBody } from '../schemas.ts'

export default async function contractsBulkRoutes (app: FastifyInstance) {
  app.post('/', bulkOptions(contracts, ContractBody, Contract), bulk(contracts))
}
