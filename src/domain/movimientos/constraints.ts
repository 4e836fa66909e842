import type { Constraint } from '../../resources/declaration/constraint.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { fields } from './fields.ts'

/** The fields that the amount of a return, and what it returns, depend on. */
const deciding = ['tipo', 'sentido', 'antes_iva', 'importe', 'porcentaje', 'base'] as const

const values = (alias: string) => deciding.map(field => `${alias}.${field}`).join(', ')

/** SQL over `q`: its own amount. */
const amount = 'coalesce(q.importe, movement_amount(q.company, q.estimate_id, q.base, q.porcentaje))'

/** SQL over `q`: what is left to return of its kind, without the other returns of the estimate. */
const left = `(returnable(q.company, q.contract_id, q.tipo, q.antes_iva)
  - returned_in(q.company, q.estimate_id, q.tipo, q.antes_iva, q.self))`

const draft = keyedRow('id', { table: 'estimates', as: 'e', value: 'q.estimate_id', where: "e.estado = 'borrador'" })
const isSame = `(${values('o')}) is not distinct from (${values('q')})`
const unchanged = keyedRow('id', { table: 'movimientos', as: 'o', value: 'q.self', where: isSame })

/** SQL over `q`: a return of a draft, new or changed. Other estimates allow no changes. */
const isReturn = `q.sentido = 'abono' and exists ${draft} and not exists ${unchanged}`

/** SQL: a charge is added to the charges of the estimate, a return is taken from them. */
const signed = (alias: string) => `case ${alias}.sentido when 'cargo' then ${alias}.importe else -${alias}.importe end`

/** SQL: the movement before a change. */
const own = (select: string, where: string) => keyedRow('id', { table: 'movimientos', as: 'o', select, value: 'q.self', where })

/** SQL over `q`: the estimate of the movement, `e`, meets a condition. */
const ofEstimate = (where: string) => keyedRow('id', { table: 'estimates', as: 'e', value: 'q.estimate_id', where })

/** Maximum percentages of an estimate. */
const maxPercentages = 1000

/** Constraints of a movement that depend on other data of the company. */
export const movementConstraints: Array<Constraint<keyof typeof fields>> = [
  {
    field: 'importe',
    key: 'sumTooLarge',
    name: 'movimientos_importe_sum',
    raised: true,
    sql: `q.porcentaje is null and exists ${ofEstimate(`abs(case when q.antes_iva then e.cargos_fijos_antes else e.cargos_fijos_despues end
      + ${signed('q')} - coalesce(${own(signed('o'), 'o.porcentaje is null and o.antes_iva = q.antes_iva')}, 0)) >= 1e16`)}`
  },
  {
    // The amounts of an estimate need all of its percentages.
    field: 'porcentaje',
    key: 'tooManyPercentages',
    name: 'estimates_porcentajes_check',
    raised: true,
    sql: `q.porcentaje is not null and exists ${ofEstimate(`e.porcentajes >= ${maxPercentages}`)} and not exists ${own('o.id', 'o.porcentaje is not null')}`
  },
  { field: 'importe', key: 'returnsMore', name: 'movimientos_returns', dependsOn: deciding, sql: `${isReturn} and ${amount} > ${left}` }
]

/** SQL over the new rows `q` of a statement: with the earlier returns of its kind in the estimate, a return is more than what is left. */
export const returnsTogether = `q.sentido = 'abono'
  and sum(${amount}) over (partition by q.company, q.estimate_id, q.sentido, q.tipo, q.antes_iva order by q.i)
    > ${left.replace('q.self', 'null::bigint')}`
