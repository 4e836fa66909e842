import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function contractsRoutes (app: FastifyInstance) {
  app.get('/', list(contracts))
  app.post('/', create(contracts))
}
