import { estimateDefaults } from '../entities/estimate.ts'
import { compares, equals, idType, isThe, refersTo, updatedSince } from '../resources/conditions.ts'
import type { Resource } from '../resources/resource.ts'
import { estimateConflict, estimateDemands, estimateRules } from './rules.ts'

const live = "estado not in ('rechazada', 'cancelada')"

/**
 * Over `q`: whether the estimate's amounts, as they would be, are so. Looked at when they are given and when the estimate is sent on:
 * a change of its contract may have made them so since, and whoever mends that must be able to take it back, or to cancel it.
 */
const amounts = (condition: string) => `q.${live} and exists (
  select from contracts c
  left join estimates e on e.company_id = q.company and e.id = q.self
  cross join lateral estimate_amounts(q.company, c.id, q.monto, q.deductivas, coalesce(e.anticipo_porcentaje, c.anticipo_porcentaje),
    coalesce(e.retencion_porcentaje, c.retencion_porcentaje), coalesce(e.iva_porcentaje, c.iva_porcentaje)) a
  where c.company_id = q.company and c.id = q.contract_id and e.neto is null and ${condition}
    and (e.id is null or (q.monto, q.deductivas) <> (e.monto, e.deductivas) or (q.estado <> e.estado and q.estado <> 'borrador')))`

const itsContract = 'c.company_id = t.company_id and c.id = t.contract_id'

/** Estimates: progress billing on contracts. Numbers, percentages and amounts are the database's (migration 5). */
export const estimates: Resource = {
  name: 'estimates',
  item: `t.id, t.company_id as company, t.contract_id as contract, c.folio as contract_folio, t.numero, t.periodo_inicio, t.periodo_fin,
    t.descripcion, t.monto, t.deductivas, t.estado, t.motivo_rechazo, t.factura_uuid, t.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje,
    coalesce(t.amortizacion, a.amortizacion) as amortizacion, coalesce(t.retencion, a.retencion) as retencion, coalesce(t.subtotal, a.subtotal) as subtotal,
    coalesce(t.iva, a.iva) as iva, coalesce(t.neto, a.neto) as neto, s.monto_acumulado, t.external_id, t.created_at, t.updated_at, t.version`,
  // `offset 0`: looked up row by row; as a join the planner would read all contracts for the few rows of a page.
  joins: `cross join lateral (select c.folio from contracts c where ${itsContract} offset 0) c
    cross join lateral estimate_amounts(t.company_id, t.contract_id, t.monto, t.deductivas, t.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje) a
    cross join lateral (
      select coalesce(sum(e.monto), 0.00) as monto_acumulado
      from estimates e where e.company_id = t.company_id and e.contract_id = t.contract_id and e.numero <= t.numero and e.${live}) s`,
  lookedAt: `join contracts c on ${itsContract}`,
  detail: '',
  detailJoins: '',
  sums: true,
  columns: {
    monto: 'numeric',
    deductivas: 'numeric',
    periodo_inicio: 'date',
    periodo_fin: 'date',
    descripcion: 'text',
    estado: 'text',
    motivo_rechazo: 'text',
    factura_uuid: 'uuid',
    external_id: 'text'
  },
  references: {
    contract: { resource: 'contracts', column: 'contract_id' }
  },
  defaults: estimateDefaults,
  unique: ['external_id'],
  ordering: {
    contract: { sql: 't.contract_id', type: idType },
    numero: { sql: 't.numero', type: 'int' },
    monto: { sql: 't.monto', type: 'numeric' },
    periodo_inicio: { sql: 't.periodo_inicio', type: 'date', nullable: true },
    periodo_fin: { sql: 't.periodo_fin', type: 'date', nullable: true },
    estado: { sql: 't.estado', type: 'text' },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz', indexed: true }
  },
  filters: {
    contract: refersTo('t.contract_id'),
    estado: equals('t.estado', 'text'),
    periodo_desde: compares('t.periodo_inicio', '>=', 'date'),
    periodo_hasta: compares('t.periodo_fin', '<=', 'date'),
    external_id: isThe('t.external_id', 'text'),
    updated_since: updatedSince
  },
  search: ['t.busqueda', 'c.busqueda'],
  obstacles: [
    {
      field: 'contract',
      key: 'contractClosed',
      sql: "q.self is null and exists (select from contracts c where c.company_id = q.company and c.id = q.contract_id and c.estado in ('terminado', 'cancelado'))"
    },
    {
      field: 'estado',
      key: 'contractCancelled',
      sql: `q.${live} and exists (
        select from estimates e join contracts c on c.company_id = q.company and c.id = e.contract_id
        where e.company_id = q.company and e.id = q.self and e.estado <> q.estado and c.estado = 'cancelado')`
    },
    {
      field: 'periodo_inicio',
      key: 'periodOverlaps',
      // Live periods do not overlap each other: of those that begin before this one ends, the last to begin ends last.
      sql: `q.${live} and q.periodo_inicio is not null and q.periodo_inicio <= (
        select e.periodo_fin from estimates e
        where e.company_id = q.company and e.contract_id = q.contract_id and e.id is distinct from q.self and e.${live}
          and e.periodo_inicio is not null and e.periodo_inicio <= q.periodo_fin
        order by e.periodo_inicio desc limit 1)`
    },
    { field: 'deductivas', key: 'deductionsTooLarge', sql: amounts('a.subtotal < 0') },
    { field: 'monto', key: 'derivedTooLarge', sql: amounts('a.neto >= 1e16') },
    {
      field: 'monto',
      key: 'exceedsContract',
      sql: `q.estado = 'autorizada' and exists (
        select from contracts c join estimates e on e.company_id = q.company and e.id = q.self
        where c.company_id = q.company and c.id = q.contract_id and e.neto is null and authorized_amount(q.company, c.id) + q.monto > c.monto)`
    }
  ],
  // New estimates are live. Sorted by start date, true for each that overlaps an earlier one.
  clashes: `q.periodo_inicio <= max(q.periodo_fin) over (
    partition by q.company, q.contract_id order by q.periodo_inicio, q.i rows between unbounded preceding and 1 preceding)`,
  // An authorization uses up part of the contract's amount and advance, which limits the next one.
  order: ({ contract, estado }, current) => ({ group: contract, decides: current !== undefined && estado === 'autorizada' && estado !== current['estado'] }),
  protectedBy: {
    code: 'conflict',
    key: 'estimateNotDeletable',
    counts: {
      settled: "select count(*) where t.estado <> 'borrador'",
      later: 'select count(*) from estimates e where e.company_id = t.company_id and e.contract_id = t.contract_id and e.numero > t.numero'
    }
  },
  rules: estimateRules,
  conflict: estimateConflict,
  demands: estimateDemands
}
