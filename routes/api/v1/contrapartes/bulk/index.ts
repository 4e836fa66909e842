import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../../src/contrapartes/resource.ts'
import { bulk, bulkOptions } from '../../../../../src/resources/handlers.ts'
import { Contraparte, ContraparteBody } from '../schemas.ts'

export default async function contrapartesBulkRoutes (app: FastifyInstance) {
  app.post('/', bulkOptions(contrapartes, ContraparteBody, Contraparte), bulk(contrapartes))
}
