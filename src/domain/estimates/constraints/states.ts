import { keyedRow } from '../../../database/turns/keyed-row.ts'
import type { Constraint } from '../../../resources/declaration/constraint.ts'
import type { fields } from '../fields.ts'
import { isAuthorization, live } from './conditions.ts'

/** SQL: the finiquito of the contract that waits for its authorization, `e`. */
const waitingFiniquito = (where = '') => `(
      select from estimates e
      where e.company_id = n.company_id and e.contract_id = n.contract_id
        and e.tipo = 'finiquito' and e.estado = any (array['borrador', 'enviada'])${where} offset 0)`

/** SQL: the contract, `c`, meets a condition. */
const ofContract = (where: string) =>
  `exists ${keyedRow('id', { table: 'contracts', as: 'c', company: 'n.company_id', value: 'n.contract_id', where })}`

/** Rules of a change of the state. */
const ofState = { field: 'estado', only: 'changed', dependsOn: ['estado'] } as const

/** Rules by the states of the contract and of its other estimates. */
export const stateConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'contract',
    key: 'contractClosed',
    name: 'estimates_contract_open',
    only: 'new',
    held: 'row',
    sql: ofContract("(c.estado = 'cancelado' or (c.estado = 'terminado' and n.tipo <> 'finiquito'))")
  },
  {
    field: 'contract',
    key: 'finiquitoExists',
    name: 'estimates_no_finiquito',
    only: 'new',
    held: 'row',
    sql: `exists ${waitingFiniquito()}`
  },
  {
    ...ofState,
    key: 'finiquitoExists',
    // A unique index holds it.
    name: 'estimates_waiting_finiquito',
    sql: `n.tipo = 'finiquito' and n.estado in ('borrador', 'enviada') and exists ${waitingFiniquito(' and e.id <> n.id')}`
  },
  {
    ...ofState,
    key: 'contractSettled',
    name: 'estimates_contract_not_settled',
    held: 'row',
    sql: `n.tipo <> 'finiquito' and n.estado in ('borrador', 'enviada', 'autorizada') and o.estado <> n.estado
      and (o.neto is null or n.estado = 'enviada') and is_settled(n.company_id, n.contract_id)`
  },
  {
    ...ofState,
    key: 'pending',
    name: 'estimates_pending',
    held: 'row',
    sql: `n.tipo = 'finiquito' and ${isAuthorization} and has_pending(n.company_id, n.contract_id, n.id)`
  },
  {
    field: 'monto',
    key: 'noWork',
    name: 'estimates_no_work_check',
    dependsOn: ['monto', 'estado'],
    held: 'row',
    // A finiquito that was rejected before the settlement can have work.
    sql: `n.tipo = 'finiquito' and n.${live} and o.neto is null and (n.monto <> 0 or o.lineas > 0)
      and is_settled(n.company_id, n.contract_id)`
  },
  {
    ...ofState,
    key: 'contractCancelled',
    name: 'estimates_contract_not_cancelled',
    held: 'row',
    sql: `n.${live} and o.estado <> n.estado and ${ofContract("c.estado = 'cancelado'")}`
  },
  {
    ...ofState,
    key: 'authorizedLater',
    name: 'estimates_last_authorized',
    held: 'row',
    sql: `n.estado = 'enviada' and o.neto is not null and exists (
      select from estimates l
      where l.company_id = n.company_id and l.contract_id = n.contract_id
        and l.neto is not null and l.autorizacion > o.autorizacion offset 0)`
  },
  {
    ...ofState,
    key: 'hasPayments',
    name: 'estimates_unpaid',
    held: 'row',
    sql: "n.estado = 'enviada' and o.estado = 'autorizada' and o.pagado <> 0"
  }
]
