import { contractDefaults } from '../entities/contract.ts'
import { compares, equals, isNamed, isThe, refersTo, updatedSince } from '../resources/conditions.ts'
import type { Resource } from '../resources/resource.ts'
import { contractRules } from './rules.ts'

const itsCounterparty = 'p.company_id = t.company_id and p.id = t.contraparte_id'

/** Contracts: a tree by `parent`, each with a counterparty. */
export const contracts: Resource = {
  name: 'contracts',
  item: `t.id, t.company_id as company, t.folio, p.nombre as contraparte, t.contraparte_id, t.monto, t.parent_id as parent, t.moneda,
    t.fecha_inicio, t.fecha_fin, t.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje, t.estado, t.external_id,
    t.created_at, t.updated_at, t.version`,
  // `offset 0`: looked up row by row; as a join the planner would read all counterparties for the few rows of a page.
  joins: `left join lateral (select p.nombre, p.nombre_orden from contrapartes p where ${itsCounterparty} offset 0) p on true`,
  lookedAt: `left join contrapartes p on ${itsCounterparty}`,
  detail: 't.descripcion, s.hijos, s.monto_subcontratado, s.otras_monedas, e.monto_estimado, t.monto - e.monto_estimado as por_estimar',
  detailJoins: `cross join lateral (
    select coalesce(sum(h.hijos), 0)::int as hijos, coalesce(sum(h.monto) filter (where h.moneda = t.moneda), 0.00) as monto_subcontratado,
      coalesce(json_object_agg(h.moneda, h.monto::text order by h.moneda) filter (where h.moneda <> t.moneda), '{}') as otras_monedas
    from (
      select h.moneda, count(*) as hijos, sum(h.monto) as monto
      from contracts h where h.company_id = t.company_id and h.parent_id = t.id group by h.moneda) h) s
    cross join lateral (
      select coalesce(sum(e.monto), 0.00) as monto_estimado
      from estimates e where e.company_id = t.company_id and e.contract_id = t.id and e.neto is not null) e`,
  columns: {
    folio: 'text',
    monto: 'numeric',
    descripcion: 'text',
    moneda: 'text',
    fecha_inicio: 'date',
    fecha_fin: 'date',
    anticipo_porcentaje: 'numeric',
    retencion_porcentaje: 'numeric',
    iva_porcentaje: 'numeric',
    estado: 'text',
    external_id: 'text'
  },
  references: {
    contraparte: { resource: 'contrapartes', column: 'contraparte_id', byName: 'nombre' },
    parent: { resource: 'contracts', column: 'parent_id' }
  },
  defaults: contractDefaults,
  unique: ['folio', 'external_id'],
  ordering: {
    folio: { sql: 't.folio', type: 'text', indexed: true },
    contraparte: { sql: 'p.nombre_orden', type: 'text', by: 'sort_text', nullable: true, joins: true },
    monto: { sql: 't.monto', type: 'numeric' },
    moneda: { sql: 't.moneda', type: 'text' },
    fecha_inicio: { sql: 't.fecha_inicio', type: 'date', nullable: true },
    fecha_fin: { sql: 't.fecha_fin', type: 'date', nullable: true },
    estado: { sql: 't.estado', type: 'text' },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz', indexed: true }
  },
  filters: {
    folio: isThe('t.folio', 'text'),
    contraparte: refersTo('t.contraparte_id', 'p.nombre'),
    contraparte_nombre: isNamed('p.nombre'),
    parent: refersTo('t.parent_id'),
    estado: equals('t.estado', 'text'),
    moneda: equals('t.moneda', 'text'),
    monto_min: compares('t.monto', '>=', 'numeric'),
    monto_max: compares('t.monto', '<=', 'numeric'),
    external_id: isThe('t.external_id', 'text'),
    updated_since: updatedSince
  },
  search: ['t.busqueda', 'p.nombre_busqueda'],
  obstacles: [{
    field: 'parent',
    key: 'parentCycle',
    sql: `q.self is not null and exists (
      with recursive above (id, parent_id) as (
        select c.id, c.parent_id from contracts c where c.company_id = q.company and c.id = q.parent_id
        union
        select c.id, c.parent_id from above join contracts c on c.company_id = q.company and c.id = above.parent_id)
      select from above where id = q.self)`
  }, {
    field: 'monto',
    key: 'belowAuthorized',
    sql: 'q.self is not null and q.monto < authorized_amount(q.company, q.self)'
  }, {
    field: 'moneda',
    key: 'currencyInUse',
    sql: `exists (select from contracts c where c.company_id = q.company and c.id = q.self and c.moneda <> q.moneda)
      and exists (select from estimates e where e.company_id = q.company and e.contract_id = q.self and e.estado not in ('rechazada', 'cancelada'))`
  }],
  // A move can put a contract below one that an earlier item moves.
  order: (next, current) => current !== undefined && next['parent'] !== current['parent'] ? { group: 'moves', decides: true } : undefined,
  protectedBy: {
    code: 'protected',
    key: 'protectedContract',
    counts: {
      hijos: 'select count(*) from contracts h where h.company_id = t.company_id and h.parent_id = t.id',
      estimates: 'select count(*) from estimates e where e.company_id = t.company_id and e.contract_id = t.id'
    }
  },
  rules: contractRules
}
