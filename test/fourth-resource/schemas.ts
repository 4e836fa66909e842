import { Type } from '@sinclair/typebox'
import { orderings } from '../../src/resources/ordering.ts'
import { AccountId, Body, Id, Nullable, Past, Text } from '../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../src/schemas/list.ts'
import { almacenes } from './resource.ts'

/** A warehouse, in a list and by itself. */
export const Almacen = Type.Object({
  id: Id,
  company: AccountId,
  clave: Type.String(),
  direccion: Type.String(),
  contract: Nullable(Id),
  external_id: Nullable(Type.String()),
  ...Past
}, { title: 'Almacen' })

const writable = {
  clave: Text({ minLength: 1, maxLength: 20 }),
  direccion: Text({ maxLength: 500 }),
  contract: Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'], text: true, references: true, minimum: 1 }),
  external_id: Nullable(Text({ minLength: 1, maxLength: 128 }))
}
const { clave, ...optional } = writable

/** The body of POST and PUT. */
export const AlmacenBody = Body({ clave }, optional, Almacen, { title: 'AlmacenBody' })

/** The body of PATCH. */
export const AlmacenPatch = Body({}, writable, Almacen, { title: 'AlmacenPatch' })

const fields = Object.keys(Almacen.properties)

/** The query of the list. */
export const AlmacenQuery = ListQuery(fields, orderings(almacenes), {
  clave: Type.String({ text: true }),
  contract: Type.String({ pattern: '^(null|[0-9]+)$' }),
  external_id: Type.String({ text: true })
})

/** The query of a single warehouse. */
export const AlmacenRecordQuery = RecordQuery(fields)
