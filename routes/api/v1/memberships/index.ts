import type { FastifyInstance } from 'fastify'
import { memberships } from '../../../../src/domain/accounts/memberships.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function membershipsRoutes (app: FastifyInstance) {
  app.get('/', list(memberships))
  app.post('/', create(memberships))
}
