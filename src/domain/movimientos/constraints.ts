import type { Constraint } from '../../resources/declaration/constraint.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { fields } from './fields.ts'

/** The fields that the amount of a return, and what it returns, depend on. */
const deciding = ['tipo', 'sentido', 'antes_iva', 'importe', 'porcentaje', 'base'] as const

const values = (alias: string) => deciding.map(field => `${alias}.${field}`).join(', ')

/** SQL: its own amount. */
const amount = 'coalesce(n.importe, movement_amount(n.company_id, n.estimate_id, n.base, n.porcentaje))'

/** SQL: what is left to return of its kind, without the other returns of the estimate. */
const left = `(returnable(n.company_id, n.contract_id, n.tipo, n.antes_iva)
  - returned_in(n.company_id, n.estimate_id, n.tipo, n.antes_iva, n.id))`

const draft = keyedRow('id', {
  table: 'estimates', as: 'e', company: 'n.company_id', value: 'n.estimate_id', where: "e.estado = 'borrador'"
})

/** SQL: a return of a draft, new or changed. Other estimates allow no changes. */
const isReturn = `n.sentido = 'abono' and exists ${draft} and (${values('o')}) is distinct from (${values('n')})`

/** SQL: a charge is added to the charges of the estimate, a return is taken from them. */
const signed = (alias: string) => `case ${alias}.sentido when 'cargo' then ${alias}.importe else 0 - ${alias}.importe end`

/** SQL: the estimate of the movement, `e`, meets a condition. */
const ofEstimate = (where: string) =>
  keyedRow('id', { table: 'estimates', as: 'e', company: 'n.company_id', value: 'n.estimate_id', where })

/** Maximum percentages of an estimate. */
const maxPercentages = 1000

/** Rules of a movement. Several rows of a statement count together, so `sum_movements` holds them. */
export const movementConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'importe',
    key: 'sumTooLarge',
    name: 'movimientos_importe_sum',
    raised: true,
    sql: `n.porcentaje is null and exists ${ofEstimate(`abs(case when n.antes_iva then e.cargos_fijos_antes else e.cargos_fijos_despues end
      + ${signed('n')} - case when o.porcentaje is null and o.antes_iva = n.antes_iva then ${signed('o')} else 0 end) >= 1e16`)}`
  },
  {
    // The amounts of an estimate need all of its percentages.
    field: 'porcentaje',
    key: 'tooManyPercentages',
    name: 'estimates_porcentajes_check',
    raised: true,
    sql: `n.porcentaje is not null and o.porcentaje is null and exists ${ofEstimate(`e.porcentajes >= ${maxPercentages}`)}`
  },
  { field: 'importe', key: 'returnsMore', name: 'movimientos_returns', dependsOn: deciding, sql: `${isReturn} and ${amount} > ${left}` }
]

/** SQL over the new rows of a statement, `n`: with the earlier returns of its kind in the estimate, a return is more than what is left. */
export const returnsTogether = `n.sentido = 'abono'
  and sum(${amount}) over (partition by n.company_id, n.estimate_id, n.sentido, n.tipo, n.antes_iva order by n.i)
    > ${left}`
