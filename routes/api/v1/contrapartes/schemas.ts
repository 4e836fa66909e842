import { Type } from '@sinclair/typebox'
import { contrapartes } from '../../../../src/contrapartes/resource.ts'
import { contraparteTypes } from '../../../../src/entities/contraparte.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { AccountId, Body, Choice, Id, Nullable, Past, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A counterparty, in a list and by itself. */
export const Contraparte = Type.Object({
  id: Id,
  company: Type.Integer({ ...AccountId, description: 'the company that the counterparty belongs to' }),
  nombre: Type.String({ description: 'unique in the company', examples: ['Cementos del Bajío'] }),
  rfc: Nullable(Type.String({ rfc: true }), { description: 'Mexican tax id (RFC); the six digits are a date', examples: ['XAXX010101000'] }),
  rfc_warning: Type.Boolean({ description: "whether the tax id's check digit is wrong; real ones fail it", examples: [false] }),
  tipo: Choice(contraparteTypes, { description: 'what it is to the company', examples: ['proveedor'] }),
  email: Type.String({ description: 'address, or nothing', examples: ['obras@example.mx'] }),
  telefono: Type.String({ description: 'telephone number, or nothing', examples: ['+52 477 123 4567'] }),
  direccion: Type.String({ description: 'postal address, or nothing', examples: ['Av. Juárez 10, León'] }),
  notas: Type.String({ description: 'notes', examples: [''] }),
  activo: Type.Boolean({ description: 'whether it is dealt with at present' }),
  external_id: Nullable(Type.String(), { description: 'id of the record in another system, unique in the company', examples: ['ERP-4711'] }),
  ...Past
}, { title: 'Contraparte' })

const writable = {
  nombre: Text({ minLength: 1, maxLength: 200 }),
  rfc: Nullable(Type.String({ rfc: true })),
  tipo: Choice(contraparteTypes),
  email: Type.String({ isEmail: true, maxLength: 254 }),
  telefono: Text({ maxLength: 40 }),
  direccion: Text({ maxLength: 500 }),
  notas: Text({ maxLength: 2000 }),
  activo: Type.Boolean(),
  external_id: Nullable(Text({ minLength: 1, maxLength: 128 }))
}

const { nombre, ...optional } = writable

/** The body of POST and PUT. */
export const ContraparteBody = Body({ nombre }, optional, Contraparte, { title: 'ContraparteBody' })

/** The body of PATCH. */
export const ContrapartePatch = Body({}, writable, Contraparte, { title: 'ContrapartePatch', examples: [{ telefono: '+52 477 123 4567', email: 'obras@example.mx' }] })

const fields = Object.keys(Contraparte.properties)

/** The query of the list. */
export const ContraparteQuery = ListQuery(fields, orderings(contrapartes), {
  rfc: Type.String({ rfc: true, description: 'counterparties of that tax id' }),
  tipo: Choice(contraparteTypes, { description: 'counterparties of that kind' }),
  activo: Type.Boolean({ description: 'those that are dealt with at present, or the others' }),
  external_id: Type.String({ text: true, description: 'the counterparty of exactly that external id', examples: ['ERP-4711'] })
})

/** The query of a single counterparty. */
export const ContraparteRecordQuery = RecordQuery(fields)
