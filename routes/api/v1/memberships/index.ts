import type { FastifyInstance } from 'fastify'
import { create, list } from '../../../../src/accounts/handlers.ts'
import { memberships } from '../../../../src/accounts/memberships.ts'

export default async function membershipsRoutes (app: FastifyInstance) {
  app.get('/', list(memberships))
  app.post('/', create(memberships))
}
