import { Type } from '@sinclair/typebox'
import { memberships } from '../../../../src/accounts/memberships.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { Id, Instant, ReadOnly, ReferenceInput, ReferenceQuery } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A membership, in a list and by itself. */
export const Membership = Type.Object({
  id: Id,
  user: Id,
  company: Id,
  nivel_acceso: Type.Integer({ description: '1 Auxiliar, 2 Coordinador, 3 Director' }),
  created_at: Instant,
  updated_at: Instant,
  version: Type.Integer()
})

const writable = {
  user: ReferenceInput,
  company: ReferenceInput,
  nivel_acceso: Type.Integer({ minimum: 1, maximum: 3 })
}
const readOnly = { id: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly, version: ReadOnly }

/** The body of POST and PUT. */
export const MembershipBody = Type.Composite([
  Type.Object(writable),
  Type.Partial(Type.Object(readOnly))
], { additionalProperties: false })

/** The body of PATCH. */
export const MembershipPatch = Type.Partial(Type.Object({ ...writable, ...readOnly }), { additionalProperties: false })

const fields = Object.keys(Membership.properties)

/** The query of the list. */
export const MembershipQuery = ListQuery(fields, orderings(memberships), {
  user: ReferenceQuery,
  company: ReferenceQuery,
  nivel_acceso: Type.String({ pattern: '^[123]$', description: '1, 2 or 3' })
})

/** The query of a single membership. */
export const MembershipRecordQuery = RecordQuery(fields)
