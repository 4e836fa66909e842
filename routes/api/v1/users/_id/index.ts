import type { FastifyInstance } from 'fastify'
import { remove, retrieve, update } from '../../../../../src/accounts/handlers.ts'
import { users } from '../../../../../src/accounts/users.ts'
import { TooManyLogIns } from '../../../../../src/schemas/tokens.ts'
import { User, UserPatch, UserPut, UserRecordQuery } from '../schemas.ts'

export default async function userRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'accounts.read' },
    schema: { operationId: 'retrieveUser', summary: 'One user', querystring: UserRecordQuery, response: { 200: User } }
  }, retrieve(users))

  app.put('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'updateUser', summary: 'Update a user', body: UserPut, response: { 200: User, 429: TooManyLogIns } }
  }, update(users))

  app.patch('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateUser', summary: 'Change some fields of a user', body: UserPatch, response: { 200: User, 429: TooManyLogIns } }
  }, update(users))

  app.delete('/', {
    config: { access: 'accounts.manage' },
    schema: { operationId: 'deleteUser', summary: 'Deactivate a user', description: 'Its sessions end and it can no longer log in; its record stays.' }
  }, remove(users))
}
