import { equals, refersTo, updatedSince } from '../../src/resources/conditions.ts'
import type { Resource } from '../../src/resources/resource.ts'

/** Warehouses, each of a contract or of none. */
export const almacenes: Resource = {
  name: 'almacenes',
  item: 't.id, t.company_id as company, t.clave, t.direccion, t.contract_id as contract, t.external_id, t.created_at, t.updated_at, t.version',
  joins: '',
  lookedAt: '',
  detail: '',
  detailJoins: '',
  columns: { clave: 'text', direccion: 'text', external_id: 'text' },
  references: { contract: { resource: 'contracts', column: 'contract_id', byName: 'folio' } },
  defaults: { direccion: '' },
  unique: ['clave', 'external_id'],
  ordering: { clave: { sql: 't.clave', type: 'text' }, updated_at: { sql: 't.updated_at', type: 'timestamptz' } },
  filters: {
    clave: equals('t.clave', 'text'),
    contract: refersTo('t.contract_id'),
    external_id: equals('t.external_id', 'text'),
    updated_since: updatedSince
  },
  search: ['t.busqueda'],
  obstacles: [],
  protectedBy: { code: 'protected', key: 'conflict', counts: { } },
  rules: () => []
}
