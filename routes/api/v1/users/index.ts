import type { FastifyInstance } from 'fastify'
import { users } from '../../../../src/domain/accounts/users.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

export default async function usersRoutes (app: FastifyInstance) {
  app.get('/', list(users))
  app.post('/', create(users))
}
