import type { Constraint } from '../../../resources/declaration/constraint.ts'
import { keyedRow } from '../../../database/turns/keyed-row.ts'
import type { fields } from '../fields.ts'
import { isAuthorization, live } from './conditions.ts'

/** SQL over `q`: the finiquito of the contract that waits for its authorization, `e`. */
const waitingFiniquito = (where: string) => `(
      select from estimates e
      where e.company_id = q.company and e.contract_id = q.contract_id and e.tipo = 'finiquito' and e.estado = any (array['borrador', 'enviada'])
        and ${where} offset 0)`

/** Constraints by the states of the contract and of its other estimates. */
export const stateConstraints: Array<Constraint<keyof typeof fields>> = [
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
  }
]
