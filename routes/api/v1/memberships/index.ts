import type { FastifyInstance } from 'fastify'
import { memberships } from '../../../../src/domain/accounts/memberships.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function membershipsRoutes (app: FastifyInstance) {
  app.get('/', list(memberships))
  app.post('/', create(memberships))
}
