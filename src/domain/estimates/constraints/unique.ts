import type { Constraint } from '../../../resources/declaration/constraint.ts'
import type { fields } from '../fields.ts'
import { live } from './conditions.ts'

/** Constraints of values that only one live estimate has: days of a period, an invoice. */
export const uniqueConstraints: Array<Constraint<keyof typeof fields>> = [
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
  }
]
