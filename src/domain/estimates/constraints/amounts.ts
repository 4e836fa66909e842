import type { Constraint } from '../../../resources/declaration/constraint.ts'
import type { fields } from '../fields.ts'
import { isAuthorization, live } from './conditions.ts'

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

/** Constraints of amounts, by the contract and its authorized estimates. */
export const amountConstraints: Array<Constraint<keyof typeof fields>> = [
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
  }
]
