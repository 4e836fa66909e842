import { Type } from '@sinclair/typebox'
import { customers } from '../../../../src/accounts/customers.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { Id, Instant, ReadOnly, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A customer, in a list and by itself. */
export const Customer = Type.Object({
  id: Id,
  nombre: Type.String(),
  created_at: Instant,
  updated_at: Instant,
  version: Type.Integer()
})

const nombre = Text({ minLength: 1, maxLength: 200 })
const readOnly = { id: ReadOnly, created_at: ReadOnly, updated_at: ReadOnly, version: ReadOnly }

/** The body of POST and PUT. */
export const CustomerBody = Type.Composite([Type.Object({ nombre }), Type.Partial(Type.Object(readOnly))], { additionalProperties: false })

/** The body of PATCH. */
export const CustomerPatch = Type.Partial(Type.Object({ nombre, ...readOnly }), { additionalProperties: false })

const fields = Object.keys(Customer.properties)

/** The query of the list. */
export const CustomerQuery = ListQuery(fields, orderings(customers), {})

/** The query of a single customer. */
export const CustomerRecordQuery = RecordQuery(fields)
