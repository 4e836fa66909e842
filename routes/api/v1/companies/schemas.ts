import { Type } from '@sinclair/typebox'
import { companies } from '../../../../src/accounts/companies.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { AccountId, AccountReferenceInput, Body, Past, ReferenceQuery, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A company, in a list and by itself. */
export const Company = Type.Object({
  id: AccountId,
  nombre: Type.String({ description: 'unique in the customer', examples: ['Obra Bajío'] }),
  customer: Type.Integer({ ...AccountId, description: 'the customer that owns the company', examples: [1] }),
  ...Past
}, { title: 'Company' })

const nombre = Text({ minLength: 1, maxLength: 200 })
const optional = { customer: AccountReferenceInput }

/** The body of POST and PUT. A Superusuario names the customer of a new one, a Corporativo's is the own. */
export const CompanyBody = Body({ nombre }, optional, Company, { title: 'CompanyBody', examples: [{ nombre: 'Obra Centro', customer: 1 }] })

/** The body of PATCH. */
export const CompanyPatch = Body({}, { nombre, ...optional }, Company, { title: 'CompanyPatch', examples: [{ nombre: 'Obra Noreste' }] })

const fields = Object.keys(Company.properties)

/** The query of the list. */
export const CompanyQuery = ListQuery(fields, orderings(companies), { customer: ReferenceQuery })

/** The query of a single company. */
export const CompanyRecordQuery = RecordQuery(fields)
