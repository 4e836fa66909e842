import type { Constraint } from '../../resources/declaration/constraint.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { fields } from './fields.ts'

/** SQL: the order changes to one of these states, and its contract `c`, with the sums `s` without this order, meets a condition. */
const changes = (states: readonly string[], condition: string) => `
  n.estado in ('${states.join("', '")}') and o.estado is distinct from n.estado and exists (
  select from ${keyedRow('id', { table: 'contracts', as: 'c', company: 'n.company_id', value: 'n.contract_id' })} c
  cross join lateral (
    select coalesce(sum(s.autorizado), 0.00) as autorizado,
      coalesce(sum(s.extra), 0.00) - case o.estado when 'autorizado' then greatest(o.monto, 0.00) else 0.00 end as extra
    from contract_sums s where s.company_id = n.company_id and s.contract_id = n.contract_id) s
  where ${condition})`

/**
 * SQL: what is authorized exceeds the contract only by cents. The database decides it after the write, when the rows of the order count or
 * no longer count.
 */
const isRounding = 'is_rounding(n.company_id, n.contract_id, null)'

/** Rules of the change of a change order's state. */
const ofItsState = { only: 'changed', dependsOn: ['estado'] } as const

/** The days of a change order that are in the past: those of its order and of its signature. */
const decisionDays = ['fecha_autorizacion', 'fecha_firma'] as const

/** States of an order that is still to come. */
const open = ['borrador', 'enviado', 'autorizado', 'firmado'] as const

/** Rules of a change order that depend on other data of the company. */
export const changeOrderConstraints: Array<Constraint<keyof typeof fields>> = [
  ...decisionDays.map((field): Constraint<keyof typeof fields> => ({
    field,
    key: 'future',
    name: `convenios_${field}_future`,
    dependsOn: [field, 'estado'],
    held: 'row',
    // A day from before this rule stays until the order is authorized or signed.
    sql: `is_future(n.${field})
      and (o.${field} = n.${field} and (o.estado = n.estado or n.estado not in ('autorizado', 'firmado'))) is not true`
  })),
  {
    field: 'contract',
    key: 'convenioContractCancelled',
    name: 'convenios_contract_open',
    only: 'new',
    held: 'row',
    sql: `exists ${keyedRow('id', {
      table: 'contracts', as: 'c', company: 'n.company_id', value: 'n.contract_id', where: "c.estado = 'cancelado'"
    })}`
  },
  {
    field: 'estado',
    key: 'contractOfConvenioCancelled',
    name: 'convenios_contract_not_cancelled',
    ...ofItsState,
    held: 'row',
    sql: changes(open, "c.estado = 'cancelado'")
  },
  {
    field: 'contract',
    key: 'contractSettled',
    name: 'convenios_contract_unsettled',
    only: 'new',
    held: 'row',
    sql: 'is_settled(n.company_id, n.contract_id)'
  },
  {
    field: 'estado',
    key: 'contractSettled',
    name: 'convenios_contract_not_settled',
    ...ofItsState,
    held: 'row',
    sql: changes(open, 'is_settled(n.company_id, n.contract_id)')
  },
  {
    field: 'estado',
    key: 'extraInUse',
    name: 'convenios_extra_in_use',
    ...ofItsState,
    sql: changes(
      ['borrador', 'cancelado'], `o.estado = 'autorizado' and o.monto > 0 and s.autorizado > c.monto + s.extra and not ${isRounding}`
    )
  },
  {
    field: 'estado',
    key: 'extraInUse',
    name: 'convenios_extra_in_use',
    ...ofItsState,
    held: 'row',
    sql: "o.estado = 'autorizado' and n.estado not in ('autorizado', 'firmado') and is_estimated(n.company_id, n.id)"
  },
  {
    field: 'monto',
    key: 'convenioBelowAuthorized',
    name: 'convenios_within_contract',
    ...ofItsState,
    sql: changes(['firmado'], `c.monto + o.monto < 0
      or (o.monto < 0 and c.monto + o.monto < s.autorizado - s.extra and not (o.monto_rows > 0 and ${isRounding}))`)
  },
  {
    field: 'estado',
    key: 'reducesExecuted',
    name: 'convenios_executed',
    ...ofItsState,
    held: 'row',
    sql: changes(['firmado'], 'reduces_executed(n.company_id, n.id)')
  },
  {
    field: 'monto',
    key: 'derivedTooLarge',
    name: 'convenios_contract_monto',
    ...ofItsState,
    sql: changes(['firmado'], 'c.monto + n.monto >= 1e16')
  },
  {
    field: 'dias',
    key: 'noTerm',
    name: 'convenios_term',
    ...ofItsState,
    sql: changes(['firmado'], `n.dias <> 0 and (c.fecha_fin is null or c.fecha_fin + n.dias < c.fecha_inicio
      or c.fecha_fin + n.dias not between '0001-01-01' and '9999-12-31')`)
  }
]
