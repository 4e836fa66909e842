import { Type } from '@sinclair/typebox'
import { contrapartes } from '../../../../src/contrapartes/resource.ts'
import { contraparteTypes } from '../../../../src/entities/contraparte.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import { Body, Choice, Id, Instant, Nullable, Text } from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A counterparty, in a list and by itself. */
export const Contraparte = Type.Object({
  id: Id,
  company: Id,
  nombre: Type.String({ description: 'unique in the company' }),
  rfc: Nullable(Type.String(), { description: 'Mexican tax id' }),
  rfc_warning: Type.Boolean({ description: "whether the tax id's check digit is wrong; real ones fail it" }),
  tipo: Choice(contraparteTypes),
  email: Type.String(),
  telefono: Type.String(),
  direccion: Type.String(),
  notas: Type.String(),
  activo: Type.Boolean(),
  external_id: Nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
  version: Type.Integer()
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
export const ContrapartePatch = Body({}, writable, Contraparte, { title: 'ContrapartePatch' })

const fields = Object.keys(Contraparte.properties)

/** The query of the list. */
export const ContraparteQuery = ListQuery(fields, orderings(contrapartes), {
  rfc: Type.String({ rfc: true }),
  tipo: Choice(contraparteTypes),
  activo: Type.Boolean(),
  external_id: Type.String({ text: true })
})

/** The query of a single counterparty. */
export const ContraparteRecordQuery = RecordQuery(fields)
