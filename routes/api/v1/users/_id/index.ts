import type { FastifyInstance } from 'fastify'
import { users } from '../../../../../src/domain/accounts/users.ts'
import { patch, remove, retrieve, update } from '../../../../../src/resources/handlers.ts'

export default async function userRoutes (app: FastifyInstance) {
  app.get('/', retrieve(users))
  app.put('/', update(users))
  app.patch('/', patch(users))
  app.delete('/', remove(users))
}
