import type { FastifyInstance } from 'fastify'
import { remove, retrieve, update } from '../../../../../src/accounts/handlers.ts'
import { memberships } from '../../../../../src/accounts/memberships.ts'
import { Membership, MembershipBody, MembershipPatch, MembershipRecordQuery } from '../schemas.ts'

export default async function membershipRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'accounts.read' },
    schema: { operationId: 'retrieveMembership', summary: 'One membership', querystring: MembershipRecordQuery, response: { 200: Membership } }
  }, retrieve(memberships))

  app.put('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'updateMembership', summary: 'Update a membership', body: MembershipBody, response: { 200: Membership } }
  }, update(memberships))

  app.patch('/', {
    config: { access: 'accounts.manage' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateMembership', summary: 'Change some fields of a membership', body: MembershipPatch, response: { 200: Membership } }
  }, update(memberships))

  app.delete('/', {
    config: { access: 'accounts.manage' },
    schema: { operationId: 'deleteMembership', summary: 'Remove a membership' }
  }, remove(memberships))
}
