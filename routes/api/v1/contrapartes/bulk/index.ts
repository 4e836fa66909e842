import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../../src/domain/contrapartes/resource.ts'
import { bulk } from '../../../../../src/resources/writing/handlers.ts'

export default async function contrapartesBulkRoutes (app: FastifyInstance) {
  app.post('/', bulk(contrapartes))
}
