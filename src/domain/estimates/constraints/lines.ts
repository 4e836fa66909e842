import type { Constraint } from '../../../resources/declaration/constraint.ts'
import { derivedRule } from '../../../resources/declaration/sums.ts'
import { keyedRow } from '../../../database/turns/keyed-row.ts'
import type { fields } from '../fields.ts'

/** The condition, evaluated only for a change that authorizes an estimate with lines. A `case` keeps this order, `and` does not. */
const authorizingLines = (condition: string) => `case
  when q.estado = 'autorizada' and exists ${keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.neto is null and e.lineas > 0' })}
  then ${condition} else false end`

/** Constraints of lines. */
export const lineConstraints: Array<Constraint<keyof typeof fields>> = [
  derivedRule('estimates', 'monto', 'lineas', ['generadores']),
  {
    field: 'monto',
    key: 'sumIsNegative',
    name: 'estimates_sum_negative',
    only: 'changed',
    dependsOn: ['estado'],
    // A new price can make the amount of a sent estimate negative.
    sql: `q.estado in ('enviada', 'autorizada') and q.monto < 0
      and exists ${keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.estado <> q.estado' })}`
  },
  {
    field: 'estado',
    key: 'quantityNegative',
    name: 'estimates_quantity_negative',
    only: 'changed',
    dependsOn: ['estado'],
    sql: authorizingLines('has_negative_quantity(q.company, q.self)')
  },
  {
    field: 'estado',
    key: 'quantityExceeded',
    name: 'estimates_quantity_exceeded',
    only: 'changed',
    dependsOn: ['estado'],
    sql: authorizingLines('has_exceeded_quantity(q.company, q.self)')
  },
  {
    field: 'estado',
    key: 'convenioNotAuthorized',
    name: 'estimates_convenio_authorized',
    only: 'changed',
    dependsOn: ['estado'],
    sql: authorizingLines("has_line_of_convenio(q.company, q.self, array['borrador', 'enviado', 'rechazado', 'cancelado'])")
  }
]
