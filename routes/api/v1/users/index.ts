import type { FastifyInstance } from 'fastify'
import { create, list } from '../../../../src/accounts/handlers.ts'
import { users } from '../../../../src/accounts/users.ts'

export default async function usersRoutes (app: FastifyInstance) {
  app.get('/', list(users))
  app.post('/', create(users))
}
