import { Type } from '@sinclair/typebox'
import { customers } from '../../../../src/accounts/customers.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { AccountId, Body, Past, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A customer, in a list and by itself. */
export const Customer = Type.Object({
  id: AccountId,
  nombre: Type.String({ description: 'name of the customer', examples: ['Constructora del Norte'] }),
  ...Past
}, { title: 'Customer' })

const nombre = Text({ minLength: 1, maxLength: 200 })

/** The body of POST and PUT. */
export const CustomerBody = Body({ nombre }, {}, Customer, { title: 'CustomerBody' })

/** The body of PATCH. */
export const CustomerPatch = Body({}, { nombre }, Customer, { title: 'CustomerPatch' })

const fields = Object.keys(Customer.properties)

/** The query of the list. */
export const CustomerQuery = ListQuery(fields, orderings(customers), {})

/** The query of a single customer. */
export const CustomerRecordQuery = RecordQuery(fields)
