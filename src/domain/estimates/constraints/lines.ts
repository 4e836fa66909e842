import type { Constraint } from '../../../resources/declaration/constraint.ts'
import { derivedRule } from '../../../resources/declaration/sums.ts'
import type { fields } from '../fields.ts'
import { isAuthorization } from './conditions.ts'

/** The condition, evaluated only for a change that authorizes an estimate with lines. A `case` keeps this order, `and` does not. */
const authorizingLines = (condition: string) => `case when ${isAuthorization} and o.lineas > 0 then ${condition} else false end`

/** Rules of a change of the state. */
const ofState = { only: 'changed', dependsOn: ['estado'], held: 'row' } as const

/** Rules of lines. */
export const lineConstraints: Array<Constraint<keyof typeof fields>> = [
  derivedRule('estimates', 'monto', 'lineas', ['generadores']),
  {
    field: 'monto',
    key: 'sumIsNegative',
    name: 'estimates_sum_negative',
    ...ofState,
    // A new price can make the amount of a sent estimate negative.
    sql: "n.estado in ('enviada', 'autorizada') and n.monto < 0 and o.estado <> n.estado"
  },
  {
    field: 'estado',
    key: 'quantityNegative',
    name: 'estimates_quantity_negative',
    ...ofState,
    sql: authorizingLines('has_negative_quantity(n.company_id, n.id)')
  },
  {
    field: 'estado',
    key: 'quantityExceeded',
    name: 'estimates_quantity_exceeded',
    ...ofState,
    sql: authorizingLines('has_exceeded_quantity(n.company_id, n.id)')
  },
  {
    field: 'estado',
    key: 'convenioNotAuthorized',
    name: 'estimates_convenio_authorized',
    ...ofState,
    sql: authorizingLines("has_line_of_convenio(n.company_id, n.id, array['borrador', 'enviado', 'rechazado', 'cancelado'])")
  }
]
