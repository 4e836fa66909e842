import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../src/estimates/resource.ts'
import { bulk, bulkOptions } from '../../../../../src/resources/handlers.ts'
import { Estimate, EstimateBody } from '../schemas.ts'

export default async function estimatesBulkRoutes (app: FastifyInstance) {
  app.post('/', bulkOptions(estimates, EstimateBody, Estimate), bulk(estimates))
}
