import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../../src/domain/contracts/resource.ts'
import { bulk } from '../../../../../src/resources/writing/handlers.ts'

export default async function contractsBulkRoutes (app: FastifyInstance) {
  app.post('/', bulk(contracts))
}
