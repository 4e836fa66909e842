import type { FastifyInstance } from 'fastify'
import { users } from '../../../../src/domain/accounts/users.ts'
import { create, list } from '../../../../src/resources/handlers.ts'

export default async function usersRoutes (app: FastifyInstance) {
  app.get('/', list(users))
  app.post('/', create(users))
}
