import type { Constraint } from '../../resources/declaration/constraint.ts'
import { derivedRule } from '../../resources/declaration/sums.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { fields } from './fields.ts'

/** SQL condition, after an alias: the estimate is neither rejected nor cancelled. */
export const live = "estado not in ('rechazada', 'cancelada')"

/** The values that an estimate copies from its contract. */
const copied = ['anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje', 'retencion_antes_iva'] as const

/** SQL: an amount that does not fit its column. */
const isTooLarge = `greatest(${['cargos_antes_iva', 'subtotal', 'cargos_despues_iva', 'neto'].map(amount => `abs(a.${amount})`).join(', ')}) >= 1e16`

/**
 * SQL over `q` for a condition on the estimate's derived amounts. It is checked when the amounts of a draft change, and when `estado` changes to
 * a live state other than `borrador`.
 * A later change of the contract can make the condition true. The estimate can then still go back to `borrador` or be cancelled. A draft
 * with lines or movements is not checked, so that these can arrive in any order, nor is a negative amount without lines, which the rules
 * refuse.
 */
const amounts = (condition: string) => `q.${live} and exists (
  select from contracts c
  left join estimates e on e.company_id = q.company and e.id = q.self
  cross join lateral estimate_amounts(q.company, c.id, e.id, q.tipo, q.monto, q.anticipo, coalesce(e.sin_anticipo, 0.00), q.deductivas,
    ${copied.map(field => `coalesce(e.${field}, c.${field})`).join(', ')},
    coalesce(e.cargos_fijos_antes, 0.00), coalesce(e.cargos_fijos_despues, 0.00), coalesce(e.porcentajes, 0)) a
  where c.company_id = q.company and c.id = q.contract_id and e.neto is null and (${condition})
    and case when e.lineas > 0 or (e.cargos_fijos_antes, e.cargos_fijos_despues, e.porcentajes) <> (0.00, 0.00, 0)
      then q.estado <> 'borrador' else q.monto >= 0 end
    and (e.id is null or (e.estado = 'borrador' and (q.monto, q.anticipo, q.deductivas) <> (e.monto, e.anticipo, e.deductivas))
      or (q.estado <> e.estado and q.estado <> 'borrador')))`

/** The estimate before the write, if it is not authorized. */
const unauthorized = keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.neto is null' })

/** SQL over `q`: the change authorizes the estimate. */
const isAuthorization = `q.estado = 'autorizada' and exists ${unauthorized}`

/** SQL over `q`: the finiquito of the contract that waits for its authorization, `e`. */
const waitingFiniquito = (where: string) => `(
      select from estimates e
      where e.company_id = q.company and e.contract_id = q.contract_id and e.tipo = 'finiquito' and e.estado = any (array['borrador', 'enviada'])
        and ${where} offset 0)`

/** Constraints of an estimate that depend on other data of the company. */
export const estimateConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'contract',
    key: 'contractClosed',
    name: 'estimates_contract_open',
    only: 'new',
    sql: `exists (
      select from contracts c
      where c.company_id = q.company and c.id = q.contract_id
        and (c.estado = 'cancelado' or (c.estado = 'terminado' and q.tipo <> 'finiquito')))`
  },
  { field: 'contract', key: 'finiquitoExists', name: 'estimates_no_finiquito', only: 'new', sql: `exists ${waitingFiniquito('true')}` },
  {
    field: 'estado',
    key: 'finiquitoExists',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.tipo = 'finiquito' and q.estado in ('borrador', 'enviada') and exists ${waitingFiniquito('e.id <> q.self')}`
  },
  {
    field: 'estado',
    key: 'contractSettled',
    name: 'estimates_contract_not_settled',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.tipo <> 'finiquito' and q.estado in ('borrador', 'enviada', 'autorizada')
      and exists ${keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.estado <> q.estado and (e.neto is null or q.estado = \'enviada\')' })}
      and is_settled(q.company, q.contract_id)`
  },
  {
    field: 'estado',
    key: 'pending',
    name: 'estimates_pending',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.tipo = 'finiquito' and ${isAuthorization} and has_pending(q.company, q.contract_id, q.self)`
  },
  {
    field: 'monto',
    key: 'noWork',
    // A finiquito that was rejected before the settlement can have work.
    sql: `q.tipo = 'finiquito' and q.${live} and is_settled(q.company, q.contract_id) and case when q.self is null then q.monto <> 0 else
      exists ${keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.neto is null and (q.monto <> 0 or e.lineas > 0)' })} end`
  },
  {
    field: 'estado',
    key: 'contractCancelled',
    name: 'estimates_contract_not_cancelled',
    only: 'changed',
    sql: `q.${live} and exists (
      select from estimates e join contracts c on c.company_id = q.company and c.id = e.contract_id
      where e.company_id = q.company and e.id = q.self and e.estado <> q.estado and c.estado = 'cancelado')`
  },
  {
    field: 'estado',
    key: 'authorizedLater',
    name: 'estimates_last_authorized',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.estado = 'enviada' and exists (
      select from estimates e join estimates l on l.company_id = e.company_id and l.contract_id = e.contract_id and l.neto is not null
      where e.company_id = q.company and e.id = q.self and e.neto is not null and l.autorizacion > e.autorizacion offset 0)`
  },
  {
    field: 'estado',
    key: 'hasPayments',
    name: 'estimates_unpaid',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.estado = 'enviada' and exists (
      select from estimates e where e.company_id = q.company and e.id = q.self and e.estado = 'autorizada' and e.pagado <> 0 offset 0)`
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
  { field: 'deductivas', key: 'deductionsTooLarge', name: 'estimates_subtotal', sql: `q.tipo <> 'finiquito' and ${amounts('a.subtotal < 0 or a.neto < 0')}` },
  { field: 'monto', key: 'derivedTooLarge', name: 'estimates_amounts_fit', sql: amounts(isTooLarge) },
  {
    field: 'monto',
    key: 'exceedsContract',
    name: 'estimates_within_contract',
    only: 'changed',
    sql: `${isAuthorization} and exists (
      select from contracts c
      where c.company_id = q.company and c.id = q.contract_id and exceeds_contract(q.company, c.id, c.monto, q.monto)
        and not is_rounding(q.company, c.id, q.self))`
  },
  {
    field: 'anticipo',
    key: 'exceedsAdvance',
    name: 'estimates_within_advance',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.tipo = 'anticipo' and ${isAuthorization} and exceeds_advance(q.company, q.contract_id, q.anticipo)`
  },
  {
    field: 'estado',
    key: 'returnsMore',
    name: 'estimates_returns',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `${isAuthorization} and returns_more(q.company, q.contract_id, q.self)`
  },
  derivedRule('estimates', 'monto', 'lineas'),
  {
    field: 'monto',
    key: 'sumIsNegative',
    name: 'estimates_sum_negative',
    only: 'changed',
    dependsOn: ['estado'],
    // A new price can make the amount of a sent estimate negative.
    sql: `q.estado in ('enviada', 'autorizada') and q.monto < 0
      and exists ${keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.estado <> q.estado' })}`
  },
  {
    field: 'estado',
    key: 'quantityNegative',
    name: 'estimates_quantity_negative',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `${isAuthorization} and has_negative_quantity(q.company, q.self)`
  },
  {
    field: 'estado',
    key: 'quantityExceeded',
    name: 'estimates_quantity_exceeded',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `${isAuthorization} and has_exceeded_quantity(q.company, q.self)`
  },
  {
    field: 'estado',
    key: 'convenioNotAuthorized',
    name: 'estimates_convenio_authorized',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `${isAuthorization} and has_line_of_convenio(q.company, q.self, array['borrador', 'enviado', 'rechazado', 'cancelado'])`
  }
]
