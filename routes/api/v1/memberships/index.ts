import type { FastifyInstance } from 'fastify'
import { create, list } from '../../../../src/accounts/handlers.ts'
import { memberships } from '../../../../src/accounts/memberships.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { Membership, MembershipBody, MembershipQuery } from './schemas.ts'

export default async function membershipsRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'accounts.read' },
    schema: { operationId: 'listMemberships', summary: 'List memberships', querystring: MembershipQuery, response: { 200: Paged(Membership) } }
  }, list(memberships))

  app.post('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'createMembership', summary: 'Create a membership', body: MembershipBody, response: { 201: Membership } }
  }, create(memberships))
}
