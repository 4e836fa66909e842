import type { Constraint } from '../../../resources/declaration/constraint.ts'
import type { fields } from '../fields.ts'
import { isAuthorization, live } from './conditions.ts'

/** The values that an estimate copies from its contract. */
const copied = ['anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje', 'retencion_antes_iva'] as const

/** SQL: an amount that does not fit its column. */
const isTooLarge =
  `greatest(${['cargos_antes_iva', 'subtotal', 'cargos_despues_iva', 'neto'].map(amount => `abs(a.${amount})`).join(', ')}) >= 1e16`

/**
 * SQL for a condition on the estimate's derived amounts. It is checked when the amounts of a draft change, and when `estado` changes to a
 * live state other than `borrador`. A later change of the contract can make the condition true. The estimate can then still go back to
 * `borrador` or be cancelled. A draft with lines or movements is not checked, so that these can arrive in any order, nor is a negative
 * amount without lines, which the rules refuse.
 */
const amounts = (condition: string) => `n.${live} and o.neto is null
    and case when o.lineas > 0 or (o.cargos_fijos_antes, o.cargos_fijos_despues, o.porcentajes) <> (0.00, 0.00, 0)
      then n.estado <> 'borrador' else n.monto >= 0 end
    and (o.estado is null or (o.estado = 'borrador' and (n.monto, n.anticipo, n.deductivas) <> (o.monto, o.anticipo, o.deductivas))
      or (n.estado <> o.estado and n.estado <> 'borrador'))
    and exists (
  select from contracts c
  cross join lateral estimate_amounts(n.company_id, c.id, n.id, n.tipo, n.monto, n.anticipo, coalesce(o.sin_anticipo, 0.00), n.deductivas,
    ${copied.map(field => `coalesce(o.${field}, c.${field})`).join(', ')},
    coalesce(o.cargos_fijos_antes, 0.00), coalesce(o.cargos_fijos_despues, 0.00), coalesce(o.porcentajes, 0)) a
  where c.company_id = n.company_id and c.id = n.contract_id and (${condition}))`

/** Rules of amounts, by the contract and its authorized estimates. `keep_estimate` holds them, which computes the amounts of each row. */
export const amountConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'deductivas',
    key: 'deductionsTooLarge',
    name: 'estimates_subtotal',
    sql: `n.tipo <> 'finiquito' and ${amounts('a.subtotal < 0 or a.neto < 0')}`
  },
  { field: 'monto', key: 'derivedTooLarge', name: 'estimates_amounts_fit', sql: amounts(isTooLarge) },
  {
    field: 'monto',
    key: 'exceedsContract',
    name: 'estimates_within_contract',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `${isAuthorization} and exists (
      select from contracts c
      where c.company_id = n.company_id and c.id = n.contract_id and exceeds_contract(n.company_id, c.id, c.monto, n.monto)
        and not is_rounding(n.company_id, c.id, n.id))`
  },
  {
    field: 'anticipo',
    key: 'exceedsAdvance',
    name: 'estimates_within_advance',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `n.tipo = 'anticipo' and ${isAuthorization} and exceeds_advance(n.company_id, n.contract_id, n.anticipo)`
  },
  {
    field: 'estado',
    key: 'returnsMore',
    name: 'estimates_returns',
    only: 'changed',
    dependsOn: ['estado'],
    held: 'row',
    sql: `${isAuthorization} and returns_more(n.company_id, n.contract_id, n.id)`
  }
]
