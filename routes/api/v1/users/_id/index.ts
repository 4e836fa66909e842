import type { FastifyInstance } from 'fastify'
import { users } from '../../../../../src/domain/accounts/users.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export default async function userRoutes (app: FastifyInstance) {
  app.get('/', retrieve(users))
  app.put('/', update(users))
  app.patch('/', patch(users))
  app.delete('/', remove(users))
}
