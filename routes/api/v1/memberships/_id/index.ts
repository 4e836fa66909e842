import type { FastifyInstance } from 'fastify'
import { memberships } from '../../../../../src/domain/accounts/memberships.ts'
import { patch, remove, retrieve, update } from '../../../../../src/resources/handlers.ts'

export default async function membershipRoutes (app: FastifyInstance) {
  app.get('/', retrieve(memberships))
  app.put('/', update(memberships))
  app.patch('/', patch(memberships))
  app.delete('/', remove(memberships))
}
