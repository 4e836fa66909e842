import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Constraint } from '../../resources/declaration/constraint.ts'
import type { fields } from './fields.ts'

/** SQL over `q`: the estimate of the payment, `e`, in a subquery for a condition or a value. */
const ofEstimate = (select: string, where = 'true') => (
  keyedRow('id', { table: 'estimates', as: 'e', select, value: 'q.estimate_id', where }))

const isCancelled = `exists ${keyedRow('id', { table: 'contracts', as: 'c', value: 'e.contract_id', where: "c.estado = 'cancelado'" })}`

/** Constraints of a payment: those of a new one depend on its estimate. */
export const paymentConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'estimate',
    key: 'notPayable',
    name: 'pagos_payable',
    only: 'new',
    sql: `exists ${ofEstimate('e.id', `(e.estado <> 'autorizada' or ${isCancelled})`)}`
  },
  {
    field: 'importe',
    key: 'notDue',
    name: 'pagos_due',
    only: 'new',
    sql: `exists ${ofEstimate('e.id', `e.estado = 'autorizada'
      and (sign(q.importe) <> sign(e.neto - e.pagado) or abs(q.importe) > abs(e.neto - e.pagado))`)}`
  },
  {
    field: 'fecha',
    key: 'future',
    name: 'pagos_fecha_future',
    dependsOn: ['fecha'],
    sql: `is_future(q.fecha) and not exists ${keyedRow('id', { table: 'pagos', as: 'p', value: 'q.self', where: 'p.fecha = q.fecha' })}`
  }
]

/** SQL over `q`: together with the earlier payments of the statement, a payment is larger than what is left. All of them have its sign. */
export const exceedsTogether =
  `sum(abs(q.importe)) over (partition by q.company, q.estimate_id order by q.i) > ${ofEstimate('abs(e.neto - e.pagado)')}`
