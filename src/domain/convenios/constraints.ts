import type { Constraint } from '../../resources/declaration/constraint.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { fields } from './fields.ts'

/** SQL over `q` for a condition on the change order before the write, `o`, its contract `c` and the sums `s` of that contract. */
const changes = (states: readonly string[], condition: string) => `q.estado in ('${states.join("', '")}') and exists (
  select from ${keyedRow('id', { table: 'convenios', as: 'o', value: 'q.self', where: 'o.estado <> q.estado' })} o
  cross join lateral ${keyedRow('id', { table: 'contracts', as: 'c', value: 'o.contract_id' })} c
  cross join lateral (
    select coalesce(sum(s.autorizado), 0.00) as autorizado,
      coalesce(sum(s.extra), 0.00) - case o.estado when 'autorizado' then greatest(o.monto, 0.00) else 0.00 end as extra
    from contract_sums s where s.company_id = q.company and s.contract_id = o.contract_id) s
  where ${condition})`

/**
 * SQL: what is authorized exceeds the contract only by cents. The database decides it after the write, when the rows of `o` count or no
 * longer count.
 */
const isRounding = 'is_rounding(o.company_id, o.contract_id, null)'

/** Constraints of the change of a change order's state. */
const ofItsState = { only: 'changed', dependsOn: ['estado'] } as const

/** The days of a change order that are in the past: those of its order and of its signature. */
export const decisionDays = ['fecha_autorizacion', 'fecha_firma'] as const

/** The contract of a new change order, if it is cancelled. */
const cancelled = keyedRow('id', { table: 'contracts', as: 'c', value: 'q.contract_id', where: "c.estado = 'cancelado'" })

/** Constraints of a change order that depend on other data of the company. */
export const changeOrderConstraints: Array<Constraint<keyof typeof fields>> = [
  ...decisionDays.map((field): Constraint<keyof typeof fields> => ({
    field,
    key: 'future',
    name: `convenios_${field}_future`,
    dependsOn: [field, 'estado'],
    // A day from before this rule stays until the order is authorized or signed.
    sql: `is_future(q.${field}) and not exists ${keyedRow('id', {
      table: 'convenios', as: 'o', value: 'q.self', where: `o.${field} = q.${field} and (o.estado = q.estado or q.estado not in ('autorizado', 'firmado'))`
    })}`
  })),
  {
    field: 'contract',
    key: 'convenioContractCancelled',
    name: 'convenios_contract_open',
    only: 'new',
    sql: `exists ${cancelled}`
  },
  {
    field: 'estado',
    key: 'contractOfConvenioCancelled',
    name: 'convenios_contract_not_cancelled',
    ...ofItsState,
    sql: changes(['borrador', 'enviado', 'autorizado', 'firmado'], "c.estado = 'cancelado'")
  },
  {
    field: 'contract',
    key: 'contractSettled',
    name: 'convenios_contract_unsettled',
    only: 'new',
    sql: 'is_settled(q.company, q.contract_id)'
  },
  {
    field: 'estado',
    key: 'contractSettled',
    name: 'convenios_contract_not_settled',
    ...ofItsState,
    sql: changes(['borrador', 'enviado', 'autorizado', 'firmado'], 'is_settled(q.company, o.contract_id)')
  },
  {
    field: 'estado',
    key: 'extraInUse',
    name: 'convenios_extra_in_use',
    ...ofItsState,
    sql: changes(['borrador', 'cancelado'], `o.estado = 'autorizado'
      and ((o.monto > 0 and s.autorizado > c.monto + s.extra and not ${isRounding}) or is_estimated(o.company_id, o.id))`)
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
    sql: changes(['firmado'], 'reduces_executed(o.company_id, o.id)')
  },
  {
    field: 'monto',
    key: 'derivedTooLarge',
    name: 'convenios_contract_monto',
    ...ofItsState,
    sql: changes(['firmado'], 'c.monto + o.monto >= 1e16')
  },
  {
    field: 'dias',
    key: 'noTerm',
    name: 'convenios_term',
    ...ofItsState,
    sql: changes(['firmado'], `o.dias <> 0 and (c.fecha_fin is null or c.fecha_fin + o.dias < c.fecha_inicio
      or c.fecha_fin + o.dias not between '0001-01-01' and '9999-12-31')`)
  }
]
