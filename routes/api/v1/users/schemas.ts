import { Type } from '@sinclair/typebox'
import { users } from '../../../../src/accounts/users.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { AccountId, AccountReferenceInput, Body, EmailInput, NewPassword, Nullable, Past, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A user, in a list and by itself. */
export const User = Type.Object({
  id: AccountId,
  email: Type.String({ description: 'what the user logs in with, lower case; unique', examples: ['director@demo.example'] }),
  nombre: Type.String({ description: 'display name', examples: ['Daniela Director'] }),
  customer: Nullable(AccountId, { description: 'the customer that the user belongs to', examples: [1] }),
  nivel_acceso: Nullable(Type.Integer(), { description: "the account's own level, 4 to 6; the others are those of memberships", examples: [null] }),
  activo: Type.Boolean({ description: 'whether the user may log in' }),
  ...Past
}, { title: 'User' })

const email = Type.String({ ...EmailInput, examples: ['residente@demo.example'] })
const CurrentPassword = Type.String({
  minLength: 1,
  maxLength: 1024,
  writeOnly: true,
  description: "the caller's present password: required with a new `password` of the caller's own, refused otherwise",
  examples: ['the present one']
})

const optional = {
  nombre: Text({ maxLength: 200 }),
  customer: Nullable(AccountReferenceInput),
  nivel_acceso: Nullable(Type.Integer({ minimum: 4, maximum: 6 })),
  activo: Type.Boolean()
}

/** The body of POST. */
export const UserBody = Body({ email, password: NewPassword }, optional, User, {
  title: 'UserBody',
  examples: [{ email: 'residente@demo.example', password: 'a longer pass phrase', nombre: 'Rosa Residente', customer: 1 }]
})

/** The body of PUT: what GET shows, which has no password, may be sent back. */
export const UserPut = Body({ email }, { password: NewPassword, current_password: CurrentPassword, ...optional }, User, {
  title: 'UserPut',
  examples: [{ email: 'auxiliar@demo.example', nombre: 'Ana Auxiliar Ruiz' }]
})

/** The body of PATCH. */
export const UserPatch = Body({}, { email, password: NewPassword, current_password: CurrentPassword, ...optional }, User, {
  title: 'UserPatch',
  examples: [{ nombre: 'Ana Auxiliar Ruiz' }]
})

const fields = Object.keys(User.properties)

/** The query of the list. */
export const UserQuery = ListQuery(fields, orderings(users), {
  email: Type.String({ ...EmailInput, description: 'the user with that address' }),
  customer: Type.String({ digits: true, pattern: '^(null|[0-9]+)$', description: 'id of the customer, or `null` for users of none', examples: ['1'] }),
  nivel_acceso: Type.String({ digits: true, pattern: '^(null|[456])$', description: "the account's own level, 4 to 6, or `null` for users without one", examples: ['4'] }),
  activo: Type.Boolean({ description: 'users who may log in, or the others' })
})

/** The query of a single user. */
export const UserRecordQuery = RecordQuery(fields)
