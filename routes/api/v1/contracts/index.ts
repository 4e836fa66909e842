import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { list } from '../../../../src/resources/read-handlers.ts'
import { create } from '../../../../src/resources/write-handlers.ts'

export default async function contractsRoutes (app: FastifyInstance) {
  app.get('/', list(contracts))
  app.post('/', create(contracts))
}
