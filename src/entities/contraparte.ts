import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { tenantProperties, tenantWalls } from './tenant.ts'

/** What a counterparty is to the company. */
export const contraparteTypes = ['cliente', 'proveedor', 'subcontratista', 'otro'] as const

/** Values of a new counterparty's fields that nobody gave. */
export const contraparteDefaults = {
  tipo: 'otro',
  email: '',
  telefono: '',
  direccion: '',
  notas: '',
  activo: true
}

/** A counterparty: the other party to a contract, known by its name. */
export const Contraparte = defineEntity({
  name: 'Contraparte',
  tableName: 'contrapartes',
  ...tenantWalls,
  properties: {
    ...tenantProperties,
    nombre: p.string().length(200),
    /** Mexican tax id, normalised. */
    rfc: p.string().length(13).nullable(),
    /** Whether the tax id's check digit is wrong; real ones fail it. */
    rfc_warning: p.boolean().$type<Opt<boolean>>().generated("(coalesce(rfc not in ('XAXX010101000', 'XEXX010101000') and right(rfc, 1) <> rfc_check_digit(rfc), false)) stored"),
    tipo: p.string().length(16).default(contraparteDefaults.tipo).check(`tipo in ('${contraparteTypes.join("', '")}')`),
    email: p.string().length(254).default(contraparteDefaults.email),
    telefono: p.string().length(40).default(contraparteDefaults.telefono),
    direccion: p.string().length(500).default(contraparteDefaults.direccion),
    notas: p.string().length(2000).default(contraparteDefaults.notas),
    activo: p.boolean().default(contraparteDefaults.activo),
    /** What `search` looks in: its texts without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated("(search_text(nombre || ' ' || coalesce(rfc, '') || ' ' || email || ' ' || telefono || ' ' || direccion || ' ' || notas)) stored").hidden().lazy(),
    /** What `search` among contracts looks in. */
    nombre_busqueda: p.text().$type<Opt<string>>().generated('(search_text(nombre)) stored').hidden().lazy(),
    /** Sort key of `nombre`, without case and accents. */
    nombre_orden: p.text().$type<Opt<string>>().collation('C').generated('(sort_text(nombre)) stored').hidden().lazy()
  },
  uniques: [
    { name: 'contrapartes_company_id_unique', properties: ['company', 'id'] },
    { name: 'contrapartes_nombre_unique', properties: ['company', 'nombre'] },
    { name: 'contrapartes_external_id_unique', properties: ['company', 'external_id'], where: 'external_id is not null' }
  ],
  indexes: [{ name: 'contrapartes_nombre_orden_index', properties: ['company', 'nombre_orden', 'id'] }]
})
