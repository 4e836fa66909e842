import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../src/domain/estimates/resource.ts'
import { bulk } from '../../../../../src/resources/writing/handlers.ts'

export default async function estimatesBulkRoutes (app: FastifyInstance) {
  app.post('/', bulk(estimates))
}
