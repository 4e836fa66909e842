import type { FastifyInstance } from 'fastify'
import { create, list } from '../../../../src/accounts/handlers.ts'
import { users } from '../../../../src/accounts/users.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { User, UserBody, UserQuery } from './schemas.ts'

export default async function usersRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'accounts.read' },
    schema: { operationId: 'listUsers', summary: 'List users', querystring: UserQuery, response: { 200: Paged(User) } }
  }, list(users))

  app.post('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'createUser', summary: 'Create a user', body: UserBody, response: { 201: User } }
  }, create(users))
}
