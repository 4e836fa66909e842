import { Type } from '@sinclair/typebox'
import { users } from '../../../../src/accounts/users.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { EmailInput, Id, Instant, NewPassword, Nullable, ReadOnly, ReferenceInput, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A user, in a list and by itself. */
export const User = Type.Object({
  id: Id,
  email: Type.String({ description: 'what the user logs in with, lower case; unique' }),
  nombre: Type.String(),
  customer: Nullable(Id),
  nivel_acceso: Nullable(Type.Integer(), { description: "the account's own level, 4 to 6; the others are those of memberships" }),
  activo: Type.Boolean(),
  created_at: Instant,
  updated_at: Instant,
  version: Type.Integer()
})

const email = EmailInput
const optional = {
  nombre: Text({ maxLength: 200 }),
  customer: Nullable(ReferenceInput),
  nivel_acceso: Nullable(Type.Integer({ minimum: 4, maximum: 6 })),
  activo: Type.Boolean()
}
const readOnly = { id: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly, version: ReadOnly }

/** The body of POST. */
export const UserBody = Type.Composite([
  Type.Object({ email, password: NewPassword }),
  Type.Partial(Type.Object({ ...optional, ...readOnly }))
], { additionalProperties: false })

/** The body of PUT: what GET shows, which has no password, may be sent back. */
export const UserPut = Type.Composite([
  Type.Object({ email }),
  Type.Partial(Type.Object({ password: NewPassword, ...optional, ...readOnly }))
], { additionalProperties: false })

/** The body of PATCH. */
export const UserPatch = Type.Partial(Type.Object({ email, password: NewPassword, ...optional, ...readOnly }), { additionalProperties: false })

const fields = Object.keys(User.properties)

/** The query of the list. */
export const UserQuery = ListQuery(fields, orderings(users), {
  email: EmailInput,
  customer: Type.String({ pattern: '^(null|[0-9]+)$', description: 'id of the customer, or `null`' }),
  nivel_acceso: Type.String({ pattern: '^(null|[456])$', description: "the account's own level, 4 to 6, or `null`" }),
  activo: Type.Boolean()
})

/** The query of a single user. */
export const UserRecordQuery = RecordQuery(fields)
