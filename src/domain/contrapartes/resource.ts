import { generated as generatedText } from '../../resources/declaration/columns.ts'
import { generated } from '../../resources/declaration/derived.ts'
import { defineResource } from '../define.ts'
import { boolean, choice, formatted, text } from '../../resources/declaration/fields.ts'

/** The kinds of counterparties. */
const types = ['cliente', 'proveedor', 'subcontratista', 'otro'] as const

/** SQL condition: the check digit of a tax id is wrong. The two ids for the general public have no check digit. */
const wrongCheckDigit = "coalesce(rfc <> all (array['XAXX010101000', 'XEXX010101000']) and right(rfc, 1) <> rfc_check_digit(rfc), false)"

/** Counterparties: the other parties of contracts, identified by name. */
export const contrapartes = defineResource({
  name: 'contrapartes',
  title: 'Contraparte',
  one: 'a counterparty',
  many: 'counterparties',
  about: 'Counterparties of contracts: clients, suppliers, subcontractors',
  spanish: { one: 'una contraparte', many: 'contrapartes' },
  feed: 'always',
  fields: {
    nombre: text(250).required().unique().orderable({ sql: 't.nombre_orden', by: 'sort_text', indexed: true })
      .describe('Name, unique in the company.', 'Cementos del Bajío'),
    rfc: formatted(13, { rfc: true }, { rfc: true }).nullable().orderable({ sql: 't.rfc collate "C"' })
      .describe('Mexican tax id (RFC). Its six digits must be a date.', 'XAXX010101000')
      .filterable('Counterparties with this RFC.'),
    rfc_warning: generated(boolean(), wrongCheckDigit)
      .describe('Whether the check digit of the RFC is wrong. Some real RFCs have a wrong one.', false),
    tipo: choice(types).default('otro').orderable()
      .describe('Kind of counterparty.', 'proveedor')
      .filterable('Counterparties of this kind.'),
    email: formatted(254, { isEmail: true, maxLength: 254 }).default('')
      .describe('Email address, or an empty string.', 'obras@example.mx'),
    telefono: text(100).default('')
      .describe('Telephone number, or an empty string.', '+52 477 123 4567'),
    direccion: text(500).default('')
      .describe('Postal address, or an empty string.', 'Av. Juárez 10, León'),
    notas: text(2000).default('')
      .describe('Notes.', ''),
    activo: boolean().default(true)
      .describe('Whether the counterparty is active.')
      .filterable('Active (`true`) or inactive (`false`) counterparties.')
  },
  search: { columns: ['nombre', 'rfc', 'email', 'telefono', 'direccion', 'notas'] },
  columns: {
    // Used by `search` in contracts.
    nombre_busqueda: generatedText('search_text(nombre)'),
    // Sort key of `nombre`, without case and accents.
    nombre_orden: generatedText('sort_text(nombre)').collation('C')
  },
  table: { indexes: [{ name: 'contrapartes_nombre_orden_index', properties: ['company', 'nombre_orden', 'id'] }] },
  routes: { remove: { description: 'Refused with 409 if contracts use the counterparty; the message has their number.' } },
  examples: { patch: { telefono: '+52 477 123 4567', email: 'obras@example.mx' } }
})
