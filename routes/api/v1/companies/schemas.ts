import { Type } from '@sinclair/typebox'
import { companies } from '../../../../src/accounts/companies.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { Id, Instant, ReadOnly, ReferenceInput, ReferenceQuery, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A company, in a list and by itself. */
export const Company = Type.Object({
  id: Id,
  nombre: Type.String({ description: 'unique in the customer' }),
  customer: Id,
  created_at: Instant,
  updated_at: Instant,
  version: Type.Integer()
})

const nombre = Text({ minLength: 1, maxLength: 200 })
const optional = { customer: ReferenceInput }
const readOnly = { id: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly, version: ReadOnly }

/** The body of POST and PUT. A Superusuario names the customer of a new one, a Corporativo's is the own. */
export const CompanyBody = Type.Composite([
  Type.Object({ nombre }),
  Type.Partial(Type.Object({ ...optional, ...readOnly }))
], { additionalProperties: false })

/** The body of PATCH. */
export const CompanyPatch = Type.Partial(Type.Object({ nombre, ...optional, ...readOnly }), { additionalProperties: false })

const fields = Object.keys(Company.properties)

/** The query of the list. */
export const CompanyQuery = ListQuery(fields, orderings(companies), { customer: ReferenceQuery })

/** The query of a single company. */
export const CompanyRecordQuery = RecordQuery(fields)
