import type { Constraint } from '../../resources/declaration/resource.ts'
import type { fields } from './fields.ts'

/** SQL condition, after an alias: the estimate is neither rejected nor cancelled. */
export const live = "estado not in ('rechazada', 'cancelada')"

/**
 * SQL over `q` for a condition on the estimate's derived amounts. It is checked when the amounts change, and when `estado` changes to
 * a live state other than `borrador`.
 * A later change of the contract can make the condition true. The estimate can then still go back to `borrador` or be cancelled.
 */
const amounts = (condition: string) => `q.${live} and exists (
  select from contracts c
  left join estimates e on e.company_id = q.company and e.id = q.self
  cross join lateral estimate_amounts(q.company, c.id, q.monto, q.deductivas, coalesce(e.anticipo_porcentaje, c.anticipo_porcentaje),
    coalesce(e.retencion_porcentaje, c.retencion_porcentaje), coalesce(e.iva_porcentaje, c.iva_porcentaje)) a
  where c.company_id = q.company and c.id = q.contract_id and e.neto is null and ${condition}
    and (e.id is null or (q.monto, q.deductivas) <> (e.monto, e.deductivas) or (q.estado <> e.estado and q.estado <> 'borrador')))`

/** Constraints of an estimate that depend on other data of the company. */
export const estimateConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'contract',
    key: 'contractClosed',
    name: 'estimates_contract_open',
    sql: "q.self is null and exists (select from contracts c where c.company_id = q.company and c.id = q.contract_id and c.estado in ('terminado', 'cancelado'))"
  },
  {
    field: 'estado',
    key: 'contractCancelled',
    name: 'estimates_contract_not_cancelled',
    sql: `q.${live} and exists (
      select from estimates e join contracts c on c.company_id = q.company and c.id = e.contract_id
      where e.company_id = q.company and e.id = q.self and e.estado <> q.estado and c.estado = 'cancelado')`
  },
  {
    field: 'periodo_inicio',
    key: 'periodOverlaps',
    name: 'estimates_periodo_exclusion',
    // Live periods do not overlap, so the last one that begins before this one ends also ends last.
    sql: `q.${live} and q.periodo_inicio is not null and q.periodo_inicio <= (
      select e.periodo_fin from estimates e
      where e.company_id = q.company and e.contract_id = q.contract_id and e.id is distinct from q.self and e.${live}
        and e.periodo_inicio is not null and e.periodo_inicio <= q.periodo_fin
      order by e.periodo_inicio desc limit 1)`
  },
  {
    field: 'factura_uuid',
    key: 'invoiceTaken',
    name: 'estimates_factura_uuid_taken',
    dependsOn: ['factura_uuid', 'estado'],
    onceAmong: `q.${live}`,
    // Checked when the invoice changes, or when the estimate becomes live again. Duplicates from before this rule can still change.
    sql: `q.${live} and q.factura_uuid is not null
      and exists (
        select from estimates e
        where e.company_id = q.company and e.factura_uuid = q.factura_uuid and e.id is distinct from q.self and e.${live} offset 0)
      and not exists (
        select from estimates e
        where e.company_id = q.company and e.id = q.self and e.factura_uuid = q.factura_uuid and e.${live} offset 0)`
  },
  { field: 'deductivas', key: 'deductionsTooLarge', name: 'estimates_subtotal', sql: amounts('a.subtotal < 0') },
  { field: 'monto', key: 'derivedTooLarge', sql: amounts('a.neto >= 1e16') },
  {
    field: 'monto',
    key: 'exceedsContract',
    name: 'estimates_within_contract',
    sql: `q.estado = 'autorizada' and exists (
      select from contracts c join estimates e on e.company_id = q.company and e.id = q.self
      where c.company_id = q.company and c.id = q.contract_id and e.neto is null and exceeds_contract(q.company, c.id, c.monto, q.monto))`
  }
]
