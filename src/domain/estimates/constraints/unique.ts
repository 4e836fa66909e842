import type { Constraint } from '../../../resources/declaration/constraint.ts'
import type { fields } from '../fields.ts'
import { live } from './conditions.ts'

/** Rules of values that only one live estimate has: days of a period, an invoice. */
export const uniqueConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'periodo_inicio',
    key: 'periodOverlaps',
    // An exclusion constraint holds it.
    name: 'estimates_periodo_exclusion',
    // Live periods do not overlap, so the last one that begins before this one ends also ends last.
    sql: `n.${live} and n.periodo_inicio is not null and n.periodo_inicio <= (
      select e.periodo_fin from estimates e
      where e.company_id = n.company_id and e.contract_id = n.contract_id and e.id is distinct from n.id and e.${live}
        and e.periodo_inicio is not null and e.periodo_inicio <= n.periodo_fin
      order by e.periodo_inicio desc limit 1)`
  },
  {
    field: 'factura_uuid',
    key: 'invoiceTaken',
    name: 'estimates_factura_uuid_taken',
    dependsOn: ['factura_uuid', 'estado'],
    onceAmong: `n.${live}`,
    held: 'row',
    // Checked when the invoice changes, or when the estimate becomes live again. Duplicates from before this rule can still change.
    sql: `n.${live} and n.factura_uuid is not null
      and (o.factura_uuid = n.factura_uuid and o.estado not in ('rechazada', 'cancelada')) is not true
      and exists (
        select from estimates e
        where e.company_id = n.company_id and e.factura_uuid = n.factura_uuid and e.id is distinct from n.id and e.${live} offset 0)`
  }
]
