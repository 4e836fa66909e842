import { contraparteDefaults } from '../entities/contraparte.ts'
import { equals, isThe, updatedSince } from '../resources/conditions.ts'
import type { Resource } from '../resources/resource.ts'

/** Counterparties: the other parties to contracts, known by their names. */
export const contrapartes: Resource = {
  name: 'contrapartes',
  item: `t.id, t.company_id as company, t.nombre, t.rfc, t.rfc_warning, t.tipo, t.email, t.telefono, t.direccion, t.notas, t.activo,
    t.external_id, t.created_at, t.updated_at, t.version`,
  joins: '',
  lookedAt: '',
  detail: '',
  detailJoins: '',
  columns: {
    nombre: 'text',
    rfc: 'text',
    tipo: 'text',
    email: 'text',
    telefono: 'text',
    direccion: 'text',
    notas: 'text',
    activo: 'boolean',
    external_id: 'text'
  },
  references: {},
  defaults: contraparteDefaults,
  unique: ['nombre', 'external_id'],
  ordering: {
    nombre: { sql: 't.nombre_orden', type: 'text', by: 'sort_text', indexed: true },
    rfc: { sql: 't.rfc collate "C"', type: 'text', nullable: true },
    tipo: { sql: 't.tipo', type: 'text' },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz' }
  },
  filters: {
    rfc: equals('t.rfc', 'text'),
    tipo: equals('t.tipo', 'text'),
    activo: equals('t.activo', 'boolean'),
    external_id: isThe('t.external_id', 'text'),
    updated_since: updatedSince
  },
  search: ['t.busqueda'],
  obstacles: [],
  protectedBy: {
    code: 'protected',
    key: 'protectedContraparte',
    counts: { count: 'select count(*) from contracts c where c.company_id = t.company_id and c.contraparte_id = t.id' }
  },
  rules: () => []
}
