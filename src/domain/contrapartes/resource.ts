import { p } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { generated } from '../../resources/declaration/columns.ts'
import { defineResource } from '../define.ts'
import { Field } from '../../resources/declaration/field.ts'
import { boolean, choice, formatted, text } from '../../resources/declaration/fields.ts'

/** The kinds of counterparties. */
const types = ['cliente', 'proveedor', 'subcontratista', 'otro'] as const

/** SQL condition: the check digit of a tax id is wrong. The two ids for the general public have no check digit. */
const wrongCheckDigit = "(coalesce(rfc <> all (array['XAXX010101000', 'XEXX010101000']) and right(rfc, 1) <> rfc_check_digit(rfc), false)) stored"

/** Counterparties: the other parties of contracts, identified by name. */
export const contrapartes = defineResource({
  name: 'contrapartes',
  title: 'Contraparte',
  one: 'a counterparty',
  many: 'counterparties',
  fields: {
    nombre: text(200).required().unique().orderable({ sql: 't.nombre_orden', by: 'sort_text', indexed: true })
      .describe('unique in the company', 'Cementos del Bajío'),
    rfc: formatted(13, { rfc: true }, { rfc: true }).nullable().orderable({ sql: 't.rfc collate "C"' })
      .describe('Mexican tax id (RFC); the six digits are a date', 'XAXX010101000')
      .filterable('counterparties of that tax id'),
    rfc_warning: new Field<boolean>({ type: 'boolean', property: () => p.boolean().generated(wrongCheckDigit), shown: Type.Boolean() })
      .describe("whether the tax id's check digit is wrong; real ones fail it", false),
    tipo: choice(types).default('otro').orderable()
      .describe('what it is to the company', 'proveedor')
      .filterable('counterparties of that kind'),
    email: formatted(254, { isEmail: true, maxLength: 254 }).default('')
      .describe('address, or nothing', 'obras@example.mx'),
    telefono: text(40).default('')
      .describe('telephone number, or nothing', '+52 477 123 4567'),
    direccion: text(500).default('')
      .describe('postal address, or nothing', 'Av. Juárez 10, León'),
    notas: text(2000).default('')
      .describe('notes', ''),
    activo: boolean().default(true)
      .describe('whether it is dealt with at present')
      .filterable('those that are dealt with at present, or the others')
  },
  search: { columns: ['nombre', 'rfc', 'email', 'telefono', 'direccion', 'notas'] },
  columns: {
    // Used by `search` in contracts.
    nombre_busqueda: generated('search_text(nombre)'),
    // Sort key of `nombre`, without case and accents.
    nombre_orden: generated('sort_text(nombre)').collation('C')
  },
  table: { indexes: [{ name: 'contrapartes_nombre_orden_index', properties: ['company', 'nombre_orden', 'id'] }] },
  protectedBy: {
    code: 'protected',
    key: 'protectedContraparte',
    counts: { count: 'select count(*) from contracts c where c.company_id = t.company_id and c.contraparte_id = t.id' }
  },
  routes: { remove: { description: 'One that contracts use stays: 409, saying how many.' } },
  examples: { patch: { telefono: '+52 477 123 4567', email: 'obras@example.mx' } }
})
