import type { FastifyInstance } from 'fastify'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { list } from '../../../../src/resources/read-handlers.ts'
import { create } from '../../../../src/resources/write-handlers.ts'

export default async function contrapartesRoutes (app: FastifyInstance) {
  app.get('/', list(contrapartes))
  app.post('/', create(contrapartes))
}
