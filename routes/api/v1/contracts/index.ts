import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function contractsRoutes (app: FastifyInstance) {
  app.get('/', list(contracts))
  app.post('/', create(contracts))
}
