import type { FastifyInstance } from 'fastify'
import { memberships } from '../../../../../src/domain/accounts/memberships.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function membershipRoutes (app: FastifyInstance) {
  app.get('/', retrieve(memberships))
  app.put('/', update(memberships))
  app.patch('/', patch(memberships))
  app.delete('/', remove(memberships))
}
