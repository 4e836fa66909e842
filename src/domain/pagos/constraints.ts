import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Constraint } from '../../resources/declaration/constraint.ts'
import type { fields } from './fields.ts'

/** SQL: the estimate of the payment, `e`, in a subquery for a condition or a value. */
const ofEstimate = (select: string, where?: string) => (
  keyedRow('id', { table: 'estimates', as: 'e', select, company: 'n.company_id', value: 'n.estimate_id', where }))

const isCancelled = `exists ${keyedRow('id', {
  table: 'contracts', as: 'c', company: 'n.company_id', value: 'e.contract_id', where: "c.estado = 'cancelado'"
})}`

/** SQL: a caller's payment. That of the trigger `pay_rest` is made after its estimate is `pagada`. */
const isOfCaller = 'pg_trigger_depth() < 2'

/** Rules of a payment: those of a new one depend on its estimate. */
export const paymentConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'estimate',
    key: 'notPayable',
    name: 'pagos_payable',
    only: 'new',
    held: 'statement',
    sql: `${isOfCaller} and exists ${ofEstimate('e.id', `(e.estado <> 'autorizada' or ${isCancelled})`)}`
  },
  {
    field: 'importe',
    key: 'notDue',
    name: 'pagos_due',
    only: 'new',
    held: 'statement',
    sql: `${isOfCaller} and exists ${ofEstimate('e.id', `e.estado = 'autorizada'
      and (sign(n.importe) <> sign(e.neto - e.pagado) or abs(n.importe) > abs(e.neto - e.pagado))`)}`
  },
  {
    field: 'fecha',
    key: 'future',
    name: 'pagos_fecha_future',
    dependsOn: ['fecha'],
    held: 'statement',
    sql: 'o.fecha is distinct from n.fecha and is_future(n.fecha)'
  }
]

/** SQL over the new rows of a statement, `n`: together with the earlier ones, a payment is larger than what is left. All have its sign. */
export const exceedsTogether =
  `sum(abs(n.importe)) over (partition by n.company_id, n.estimate_id order by n.i) > ${ofEstimate('abs(e.neto - e.pagado)')}`
