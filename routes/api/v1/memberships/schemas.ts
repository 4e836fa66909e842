import { Type } from '@sinclair/typebox'
import { memberships } from '../../../../src/accounts/memberships.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { AccountId, AccountReferenceInput, Body, Past, ReferenceQuery } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A membership, in a list and by itself. */
export const Membership = Type.Object({
  id: AccountId,
  user: Type.Integer({ ...AccountId, description: 'id of the user', examples: [8] }),
  company: Type.Integer({ ...AccountId, description: 'id of the company', examples: [1] }),
  nivel_acceso: Type.Integer({ description: 'level in that company: 1 Auxiliar, 2 Coordinador, 3 Director', examples: [2] }),
  ...Past
}, { title: 'Membership' })

const writable = {
  user: AccountReferenceInput,
  company: AccountReferenceInput,
  nivel_acceso: Type.Integer({ minimum: 1, maximum: 3 })
}

/** The body of POST and PUT. */
export const MembershipBody = Body(writable, {}, Membership, { title: 'MembershipBody', examples: [{ user: 8, company: 1, nivel_acceso: 2 }] })

/** The body of PATCH. */
export const MembershipPatch = Body({}, writable, Membership, { title: 'MembershipPatch', examples: [{ nivel_acceso: 2 }] })

const fields = Object.keys(Membership.properties)

/** The query of the list. */
export const MembershipQuery = ListQuery(fields, orderings(memberships), {
  user: ReferenceQuery,
  company: ReferenceQuery,
  nivel_acceso: Type.String({ digits: true, pattern: '^[123]$', description: 'memberships of that level: 1, 2 or 3', examples: ['2'] })
})

/** The query of a single membership. */
export const MembershipRecordQuery = RecordQuery(fields)
